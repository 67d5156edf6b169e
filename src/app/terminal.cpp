#include "app/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <cstdlib>

namespace posenc::app {

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) == 1; }
bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

int terminal_width() {
  if (const char* columns = std::getenv("COLUMNS")) {
    const int n = std::atoi(columns);
    if (n >= 40) return n;
  }
  winsize size{};
  if (stdout_is_terminal() && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
  return 100;
}

/// Whether the text begins with one of Unicode's controls of direction or of the C1 set, in UTF-8.
bool turns_direction(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (byte(0) == 0xC2) return byte(1) >= 0x80 && byte(1) < 0xA0;
  if (byte(0) != 0xE2) return false;
  const unsigned last = byte(2);
  return (byte(1) == 0x80 && (last == 0x8E || last == 0x8F || (last >= 0xAA && last <= 0xAE))) ||
         (byte(1) == 0x81 && last >= 0xA6 && last <= 0xA9);
}

std::string printable(std::string_view text) {
  static const char* const digits = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f || turns_direction(text.substr(i)))
      out += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    else
      out += text[i];
  }
  return out;
}

std::string styled(Style style, std::string_view text) {
  static const bool on = [] {
    const char* off = std::getenv("NO_COLOR");
    return stdout_is_terminal() && !(off && *off);
  }();
  if (!on) return std::string(text);
  const char* code = style == Style::bold ? "1" : style == Style::good ? "32" : style == Style::doubtful ? "33" : "31";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace posenc::app
