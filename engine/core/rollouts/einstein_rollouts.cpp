#include "rollouts/einstein_rollouts.h"

#include <algorithm>
#include <cmath>

#include "agents/einstein_steps.h"
#include "common/random.h"

namespace sparring {

namespace {

constexpr double kGreed = 1.0;  // of playouts
constexpr float kIllegal = -10.0f;

// The winner of a playout.
int play_out(EinsteinPosition position, Random& random) {
  while (!position.is_over()) {
    const int move = position.is_placing()
                         ? EinsteinPosition::kSteps + random.below(EinsteinPosition::kPlacings)
                         : draw_step(position, kGreed, random);
    position.play(with_die(position, move, random));
  }
  return position.winner();
}

EinsteinPosition read_position(const RowView& row) {
  constexpr int kArea = EinsteinPosition::kCells, kNumbers = EinsteinPosition::kNumbers;
  const int to_move = static_cast<int>(std::lround(row.globals[kNumbers + 1]));
  EinsteinSetup setup;
  for (int code = 0; code < EinsteinPosition::kCodes; ++code) {
    const int side = code / kNumbers != to_move;
    const std::uint8_t* plane = row.spatial + (3 + side * kNumbers + code % kNumbers) * kArea;
    const std::uint8_t* cell = std::find(plane, plane + kArea, std::uint8_t{1});
    if (cell != plane + kArea) setup.pieces.emplace_back(code, static_cast<int>(cell - plane));
  }
  for (int number = 1; number <= kNumbers; ++number)
    if (row.globals[number - 1] != 0) setup.die = number;
  EinsteinPosition position;
  position.setup(setup, to_move);
  return position;
}

}  // namespace

void EinsteinRollouts::evaluate(const RowView& row) const {
  const EinsteinPosition position = read_position(row);
  Random random(mix64(position.network_hash() ^ mix64(seed_)));
  int won = 0;
  for (int i = 0; i < rollouts_; ++i) won += play_out(position, random) == position.to_move();
  // Half a won game is added on each side: a few games must not give certainty.
  const double wins = (won + 0.5) / (rollouts_ + 1.0), score = 2.0 * wins - 1.0;
  write_estimate({wins, score, std::sqrt(1.0 - score * score)}, row);
  std::fill(row.ownership, row.ownership + area(), 0.0f);
  std::fill(row.policy, row.policy + moves(), kIllegal);
  if (position.is_placing())
    std::fill(row.policy + EinsteinPosition::kSteps, row.policy + moves(), 0.0f);
  position.for_each_step([&](int move) { row.policy[move] = step_worth(position, move); });
}

}  // namespace sparring
