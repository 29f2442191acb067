// Checks of numbers from outside the core.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace sparring {

// Upper bounds of numbers of threads, of rollouts and of other counts.
inline constexpr int kMostThreads = 1024;
inline constexpr int kMostRollouts = 10'000'000;
inline constexpr int kMostCount = 1'000'000'000;

template <typename Number>
std::string as_text(Number number) {
  if constexpr (std::is_integral_v<Number>) {
    return std::to_string(number);
  } else {
    char text[32];
    std::snprintf(text, sizeof text, "%g", static_cast<double>(number));
    return text;
  }
}

// Returns the number. Throws std::invalid_argument, quoting it, unless it is in least..most. NaN
// and infinities throw too.
template <typename Number>
Number checked(const char* name, Number number, std::type_identity_t<Number> least,
               std::type_identity_t<Number> most) {
  if (number >= least && number <= most) return number;
  throw std::invalid_argument(std::string(name) + " " + as_text(number) + " is not in " +
                              as_text(least) + ".." + as_text(most));
}

}  // namespace sparring
