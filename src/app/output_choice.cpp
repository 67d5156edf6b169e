#include "app/output_choice.hpp"

namespace posenc::app {

Fields OutputChoice::fields() {
  return {
      {"output", "1", "HDF5 file to write, complete or not at all; - is stdout", &output},
      {"force", "1", "replace an output that exists", &force},
      {"deflate", "1", "compression level; 0: none, which is fastest, and tables shrink by a quarter at most", &deflate,
       between(0, 9)},
      {"reproducible", "1", "leave out what differs between two equal runs, so that their files are equal byte for byte",
       &reproducible},
      {"dry-run", "1", "print the resolved configuration, sizes and estimates; write nothing", &dry_run},
  };
}

}  // namespace posenc::app
