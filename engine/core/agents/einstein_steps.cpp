#include "agents/einstein_steps.h"

#include <array>
#include <cmath>

namespace sparring {

namespace {

constexpr int kMostSteps = 6;  // two pieces, three ways each

constexpr struct {
  float win = 12.0f;
  float progress = 0.6f;  // for each step that the goal comes nearer
  float capture = 0.4f;   // of an enemy, and as much again for each of its steps from the start
  float own = -0.4f;      // a captured piece of one's own
} kWorth;

}  // namespace

float step_worth(const EinsteinPosition& position, int move) {
  if (position.ends_game(move)) return kWorth.win;
  const auto [start, end, color] = EinsteinPosition::step(move);
  float worth = kWorth.progress * static_cast<float>(EinsteinPosition::distance(start, color) -
                                                     EinsteinPosition::distance(end, color));
  const int taken = position.color_at(end);
  if (taken == color) worth += kWorth.own;
  if (taken == 1 - color)
    worth += kWorth.capture * static_cast<float>(EinsteinPosition::kSize -
                                                 EinsteinPosition::distance(end, 1 - color));
  return worth;
}

int draw_step(const EinsteinPosition& position, double greed, Random& random) {
  std::array<int, kMostSteps> moves;
  std::array<double, kMostSteps> weights;
  int count = 0;
  double total = 0.0;
  position.for_each_step([&](int move) {
    moves[count] = move;
    weights[count] = std::exp(greed * step_worth(position, move));
    total += weights[count++];
  });
  double left = random.uniform() * total;
  for (int i = 0; i < count; ++i)
    if ((left -= weights[i]) < 0) return moves[i];
  return moves[count - 1];
}

int with_die(const EinsteinPosition& position, int move, Random& random) {
  if (position.is_complete(move)) return move;
  return position.with_outcome(move, 1 + random.below(EinsteinPosition::kNumbers));
}

}  // namespace sparring
