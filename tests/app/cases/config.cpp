#include "app/cases/report.hpp"
#include "cli/program.hpp"
#include "model/views/traits.hpp"
#include "sources/gguf_bytes.hpp"
#include "sources/model_file.hpp"

namespace posenc::test {
namespace {

const CaseChecks checks{
    {"cfg-01",
     [](Case& c) {
       c.prose({"result"});
       const auto a = inspected(c.in("a")), b = inspected(c.in("b"));
       const auto &old = a.layers.at(0), &now = b.layers.at(0);
       CHECK(old.inv_freq == now.inv_freq);
       CHECK(sources::encoding_text(old.encoding) == sources::encoding_text(now.encoding));
       // Both say what the keys say: every pair over the factor, the base as given.
       const double base = c.in("a")["rope_theta"], factor = c.in("a")["rope_scaling"]["factor"];
       for (const auto* layer : {&old, &now}) {
         CHECK(layer->rope_type == "linear");
         CHECK(layer->base == base);
         for (std::size_t i = 0; i < 64; ++i)
           CHECK(layer->inv_freq.at(i) == Approx(std::pow(base, -2 * static_cast<double>(i) / 128) / factor).epsilon(1e-15));
       }
       for (const char* key : {"rope_theta", "rope_scaling.type", "rope_scaling.factor"})
         CHECK(key_of(a, key).status == sources::KeyStatus::used);
       for (const char* key : {"rope_parameters.rope_type", "rope_parameters.factor", "rope_parameters.rope_theta"})
         CHECK(key_of(b, key).status == sources::KeyStatus::used);
     }},
    {"cfg-02",
     [](Case& c) {
       c.prose({"must"});
       const std::string width = std::to_string(c.in("gguf")["rope.dimension_count"].get<int>()),
                         taken = sources::plain_number(c.expect("default_used"));
       const Folder folder;
       GgufBytes gguf = gguf_model("llama", 4096, 4096, 32);
       for (const auto& [key, value] : c.in("gguf").items()) gguf.u32("llama." + key, value.get<std::uint32_t>());
       write_file(folder / "model.gguf", gguf.bytes());
       sources::ModelReport report = sources::read_model((folder / "model.gguf").string());
       app::fill_frequencies(report);
       const auto& key = key_of(report, "llama.rope.freq_base");
       CHECK(key.status == sources::KeyStatus::defaulted);
       CHECK(key.value == taken);
       CHECK(warns_of(report, {"llama.rope.freq_base: not given", taken}));
       CHECK(report.layers.at(0).base == c.expect("default_used").get<double>());
       const auto config = inspected(c.in("config"));
       c.equals("last_freq_ratio", report.layers.at(0).inv_freq.back() / config.layers.at(0).inv_freq.back());
       CHECK(std::to_string(*report.layers.at(0).rotary_dim) == width);
     }},
    {"cfg-04",
     [](Case& c) {
       const auto axis_name = [](const model::Encoding& e, model::Index pair) {
         const auto& r = *model::form<model::Rotary>(e);
         std::string out;
         for (model::Index axis = 0; axis < 3; ++axis)
           if (r.at(0, axis, pair).theta != 0) out += std::array{"temporal", "height", "width"}[static_cast<std::size_t>(axis)];
         return out;
       };
       const std::string fields = "m-rope:dim=128,sections=" + c.text("sections");
       CHECK(c.expect("blocked") == axis_name(scheme(fields)->lower(0), c.in("pair")));
       CHECK(c.expect("interleaved") == axis_name(scheme(fields + ",interleaved=true")->lower(0), c.in("pair")));
       // Text: the same position on every axis.
       const bool equal = run("encodings", fields, {{"length", "64"}}).data("cos") ==
                          run("encodings", fields + ",interleaved=true", {{"length", "64"}}).data("cos");
       CHECK(c.expect("text_only_equal") == equal);
       // A model's file names the axis of every pair.
       const auto report = inspected({{"rope_scaling", {{"type", "mrope"}, {"mrope_section", c.in("sections")}}}});
       CHECK(c.expect("blocked").get<std::string>().front() == report.layers.at(0).mrope_axis.at(c.in("pair")));
     }},
};

}  // namespace
}  // namespace posenc::test
