#pragma once
// app: what is known of the terminal behind stdout and stderr.
#include <string>
#include <string_view>

namespace posenc::app {

bool stdout_is_terminal();
bool stderr_is_terminal();
/// Columns of the terminal behind stdout; COLUMNS where it is set; 100 where stdout is no terminal.
int terminal_width();

/// Control characters as \xHH: a foreign word stays on its line and leaves the terminal as it is.
std::string printable(std::string_view text);

enum class Style { bold, good, doubtful, bad };
/// The text in that style where stdout is a terminal and NO_COLOR is not set; unchanged elsewhere.
std::string styled(Style style, std::string_view text);

}  // namespace posenc::app
