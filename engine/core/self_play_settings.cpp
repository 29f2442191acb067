#include "self_play_settings.h"

#include <stdexcept>
#include <string>

namespace sparring {
namespace {

void check_count(const char* name, int value, int least) {
  if (value < least)
    throw std::invalid_argument(std::string(name) + " " + std::to_string(value) + " is below " +
                                std::to_string(least));
}

// Of finite numbers: also false where it is none.
void check_number(const char* name, double value, double most) {
  if (!(value >= 0 && value <= most))
    throw std::invalid_argument(std::string(name) + " " + std::to_string(value) + " is not in 0.." +
                                std::to_string(most));
}

}  // namespace

void check(const SelfPlaySettings& settings) {
  constexpr double kMost = 1000;
  check_count("visits", settings.visits, 1);
  check_count("fast_visits", settings.fast_visits, 1);
  check_number("full_share", settings.full_share, 1);
  check_number("forced_playouts", settings.forced_playouts, kMost);
  check_count("opening_moves", settings.opening_moves, 0);
  check_number("opening_temperature", settings.opening_temperature, kMost);
  check_number("opening_softness", settings.opening_softness, kMost);
  check_number("later_temperature", settings.later_temperature, kMost);
  check_number("random_openings", settings.random_openings, 1);
  check_count("random_opening_moves", settings.random_opening_moves, 1);
  check_count("solve_empties", settings.solve_empties, 0);
  check_number("solved_random_share", settings.solved_random_share, 1);
}

}  // namespace sparring
