#include "support/cases.hpp"

namespace posenc::test {
namespace {

const CaseChecks checks{
    {"2d-02",
     [](Case& c) {
       // Column and row by a sinusoidal table of half the width each.
       const std::string half = fmt::format("sinusoidal:layout=concat,dim={}", c.in("d").get<int>() / 2);
       const model::Encoding e = scheme(half)->lower(0);
       std::vector<double> ours;
       for (const char* axis : {"col", "row"}) {
         const model::Matrix part = table(e, c.in(axis), 1);
         ours.insert(ours.end(), part.data(), part.data() + part.size());
       }
       c.equals("value", ours);
     }},
    {"2d-03",
     [](Case& c) {
       const model::Encoding e = scheme("axial-2d:columns=" + c.text("cols"))->lower(0);
       const model::Pos cells = c.in("rows").get<model::Pos>() * c.in("cols").get<model::Pos>();
       std::vector<double> columns;
       for (model::Pos p = 0; p < cells; ++p) columns.push_back(static_cast<double>(e.point(p)[2]));
       columns.resize(c.expect("value").size());
       c.equals("value", columns);
       c.differs("wrong", columns);
       // Cells counted down the columns of that image: row by row of an image as wide as this one is high.
       const model::Encoding down = scheme("axial-2d:columns=" + c.text("rows"))->lower(0);
       std::vector<double> wrong;
       for (std::size_t p = 0; p < columns.size(); ++p)
         wrong.push_back(static_cast<double>(down.point(static_cast<model::Pos>(p))[1]));
       c.equals("wrong", wrong);
       CHECK(e.point(cells - 1) == model::Point{0, c.in("rows").get<model::Pos>() - 1, c.in("cols").get<model::Pos>() - 1});
     }},
};

}  // namespace
}  // namespace posenc::test
