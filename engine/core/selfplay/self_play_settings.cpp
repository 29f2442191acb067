#include "selfplay/self_play_settings.h"

#include "common/bounds.h"

namespace sparring {

void check(const SelfPlaySettings& settings) {
  constexpr double kMost = 1000;
  checked("visits", settings.visits, 1, kMostCount);
  checked("fast_visits", settings.fast_visits, 1, kMostCount);
  checked("full_share", settings.full_share, 0, 1);
  checked("forced_playouts", settings.forced_playouts, 0, kMost);
  checked("opening_moves", settings.opening_moves, 0, kMostCount);
  checked("opening_temperature", settings.opening_temperature, 0, kMost);
  checked("opening_softness", settings.opening_softness, 0, kMost);
  checked("later_temperature", settings.later_temperature, 0, kMost);
  checked("random_openings", settings.random_openings, 0, 1);
  checked("random_opening_moves", settings.random_opening_moves, 1, kMostCount);
  checked("solve_empties", settings.solve_empties, 0, kMostCount);
  checked("solved_random_share", settings.solved_random_share, 0, 1);
}

}  // namespace sparring
