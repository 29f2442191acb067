#include "othello_playouts.h"

#include <array>

#include "othello_weights.h"
#include "random.h"

namespace sparring {

namespace {

template <int N>
void play_out(OthelloBoard<N>& board, bool& turned, Random& random) {
  static constexpr auto kOrder = roxanne_classes<N>();
  bool passed = false;
  while (true) {
    const auto moves = board.moves();
    if (moves == 0) {
      if (passed) return;
      passed = true;
      board.pass();
    } else {
      passed = false;
      auto best = moves;
      for (const auto squares : kOrder)
        if ((moves & squares) != 0) {
          best = moves & squares;
          break;
        }
      board.play(lowest_bit(random_bit(best, count_bits(best), random)));
    }
    turned = !turned;
  }
}

// Who ends up with what, over several games.
template <int N>
struct Tally {
  double wins = 0;
  double score = 0;
  double score_square = 0;
  std::array<int, N * N> owned{};

  void add(const OthelloBoard<N>& board) {
    const int lead = board.count_own() - board.count_other();
    const int empty = board.count_empty();
    const double result = lead > 0 ? lead + empty : lead < 0 ? lead - empty : 0;
    wins += result > 0 ? 1 : result < 0 ? 0 : 0.5;
    score += result;
    score_square += result * result;
    for (auto own = board.own; own != 0; own &= own - 1)
      owned[OthelloBoard<N>::cell_of(lowest_bit(own))] += 1;
    for (auto other = board.other; other != 0; other &= other - 1)
      owned[OthelloBoard<N>::cell_of(lowest_bit(other))] -= 1;
  }
};

template <int N>
OthelloBoard<N> read_board(const std::uint8_t* spatial) {
  OthelloBoard<N> board;
  for (int cell = 0; cell < N * N; ++cell) {
    const auto bit = OthelloBoard<N>::bit(OthelloBoard<N>::square_of(cell));
    if (spatial[N * N + cell]) board.own |= bit;
    if (spatial[2 * N * N + cell]) board.other |= bit;
  }
  return board;
}

// Good squares, and those that leave the opponent few moves.
template <int N>
void write_policy(const OthelloBoard<N>& board, float* policy) {
  static constexpr auto kValues = roxanne_values<N>();
  std::fill(policy, policy + N * N + 1, 0.0f);
  for (auto moves = board.moves(); moves != 0; moves &= moves - 1) {
    const int square = lowest_bit(moves);
    const int cell = OthelloBoard<N>::cell_of(square);
    OthelloBoard<N> after = board;
    after.play(square);
    policy[cell] = 0.4f * static_cast<float>(kValues[square]) -
                   0.15f * static_cast<float>(count_bits(after.moves()));
  }
}

template <int N>
std::uint64_t key_of(const OthelloBoard<N>& board) {
  auto key = mix64(static_cast<std::uint64_t>(board.own));
  key = mix64(key ^ static_cast<std::uint64_t>(board.other));
  if constexpr (N > 8) {
    key = mix64(key ^ static_cast<std::uint64_t>(board.own >> 64));
    key = mix64(key ^ static_cast<std::uint64_t>(board.other >> 64));
  }
  return key;
}

}  // namespace

template <int N>
void OthelloPlayouts::evaluate_on(const LightRow& row) const {
  const auto board = read_board<N>(row.spatial);
  Random random(mix64(key_of(board) ^ seed_));
  Tally<N> tally;
  for (int i = 0; i < playouts_; ++i) {
    auto copy = board;
    bool turned = false;
    play_out(copy, turned, random);
    tally.add(turned ? copy.swapped() : copy);
  }
  const double games = playouts_;
  const double mean = tally.score / games;
  const double spread = tally.score_square / games - mean * mean;
  // One game more, drawn: few games must not make certain.
  const Forecast forecast{(tally.wins + 0.5) / (games + 1), mean, std::sqrt(spread + 4.0 * N)};
  write_forecast(forecast, row);
  for (int cell = 0; cell < N * N; ++cell)
    row.ownership[cell] = before_tanh(tally.owned[cell] / games);
  write_policy(board, row.policy);
}

void OthelloPlayouts::evaluate(const LightRow& row) const {
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
