#pragma once
// app: variables of an output file, read whole or in part as numbers or words.
#include "io/input_file.hpp"

#include <string>
#include <vector>

namespace posenc::app {

/// "/decay/rope" for "decay/rope", "/decay/rope/" and the like.
std::string absolute_group(const std::string& group);
std::string dataset_path(const std::string& group, const std::string& variable);

/// Elements first .. first + count - 1 as text: numbers with all their digits, NaN as "nan".
std::vector<std::string> read_words(const io::InputFile& file, const std::string& group, const io::InputVariable& variable,
                                    std::uint64_t first, std::uint64_t count);
std::vector<double> read_numbers(const io::InputFile& file, const std::string& group, const io::InputVariable& variable,
                                 std::uint64_t first, std::uint64_t count);

/// "text" of an attribute: numbers with all their digits, lists with commas.
std::string attribute_text(const AttributeValue& value);

}  // namespace posenc::app
