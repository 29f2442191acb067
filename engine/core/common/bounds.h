// Checks of numbers that come from outside the core.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace sparring {

// Numbers of threads and of rollouts that the core takes.
inline constexpr int kMostThreads = 1024;
inline constexpr int kMostRollouts = 10'000'000;
inline constexpr int kMostCount = 1'000'000'000;

template <typename Number>
std::string shown(Number number) {
  if constexpr (std::is_integral_v<Number>) {
    return std::to_string(number);
  } else {
    char text[32];
    std::snprintf(text, sizeof text, "%g", static_cast<double>(number));
    return text;
  }
}

// Returns the number. Throws std::invalid_argument, quoting it, unless it is in least..most: so
// neither NaN nor an infinity passes.
template <typename Number>
Number checked(const char* name, Number number, std::type_identity_t<Number> least,
               std::type_identity_t<Number> most) {
  if (number >= least && number <= most) return number;
  throw std::invalid_argument(std::string(name) + " " + shown(number) + " is not in " +
                              shown(least) + ".." + shown(most));
}

}  // namespace sparring
