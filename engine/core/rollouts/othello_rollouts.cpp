#include "rollouts/othello_rollouts.h"

#include "rollouts/othello_quick_games.h"

namespace sparring {

namespace {

// Good squares, and moves with few replies for the opponent.
template <int N>
void write_policy(const OthelloBoard<N>& board, float* policy) {
  static constexpr auto kValues = roxanne_values<N>();
  std::fill(policy, policy + N * N + 1, 0.0f);
  for (auto moves = board.moves(); moves != 0; moves &= moves - 1) {
    const int square = lowest_bit(moves);
    OthelloBoard<N> after = board;
    after.play(square);
    policy[OthelloBoard<N>::cell_of(square)] =
        0.4f * static_cast<float>(kValues[square]) -
        0.15f * static_cast<float>(count_bits(after.moves()));
  }
}

}  // namespace

template <int N>
void OthelloRollouts::evaluate_on(const RowView& row) const {
  const auto board = read_board<N>(row.spatial);
  Random random = generator_of(board, seed_);
  const QuickGames<N> games(board, rollouts_, random);
  write_estimate(games.estimate(), row);
  games.write_ownership(row.ownership);
  write_policy(board, row.policy);
}

void OthelloRollouts::evaluate(const RowView& row) const {
  switch (size_) {
    case 4:
      return evaluate_on<4>(row);
    case 6:
      return evaluate_on<6>(row);
    case 8:
      return evaluate_on<8>(row);
    default:
      return evaluate_on<10>(row);
  }
}

}  // namespace sparring
