#include "agents/einstein_agents.h"

#include <vector>

#include "agents/einstein_steps.h"

namespace sparring {

namespace {

int any_placing(Random& random) {
  return EinsteinPosition::kSteps + random.below(EinsteinPosition::kPlacings);
}

int any_of(const std::vector<int>& moves, Random& random) {
  return moves[random.below(static_cast<int>(moves.size()))];
}

}  // namespace

Finding random_move(const EinsteinPosition& position, std::uint64_t seed) {
  if (position.is_over()) return {};
  Random random(seed);
  if (position.is_placing()) return {.move = any_placing(random)};
  std::vector<int> moves;
  position.for_each_step([&](int move) { moves.push_back(move); });
  return {.move = any_of(moves, random)};
}

Finding greedy_step(const EinsteinPosition& position, std::uint64_t seed) {
  if (position.is_over()) return {};
  Random random(seed);
  if (position.is_placing()) return {.move = any_placing(random)};
  std::vector<int> best;
  float most = 0.0f;
  std::int64_t nodes = 0;
  position.for_each_step([&](int move) {
    const float worth = step_worth(position, move);
    ++nodes;
    if (best.empty() || worth > most) best.clear();
    if (best.empty() || worth == most) best.push_back(move);
    if (best.size() == 1) most = worth;
  });
  return {.move = any_of(best, random), .value = most, .nodes = nodes};
}

}  // namespace sparring
