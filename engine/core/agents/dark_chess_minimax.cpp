#include "agents/dark_chess_minimax.h"

#include <algorithm>
#include <cmath>

#include "agents/dark_chess_bias.h"

namespace sparring {

namespace {

constexpr double kWon = 1000.0;  // above all weights together
constexpr double kEqual = 1e-9;  // of values that differ by rounding alone

class MaterialSearch {
 public:
  // The value after an action for the side that plays it.
  double after(const DarkChessBoard& board, const DarkChessAction& action, int plies) {
    if (!action.is_flip()) {
      DarkChessBoard changed = board;
      const int captured = changed.move(action.from, action.to);
      if (captured >= 0 && !changed.has_pieces(color_of(captured))) return kWon;
      return -value(changed, plies - 1);
    }
    double sum = 0.0;
    for (int code = 0; code < kPieceCodes; ++code) {
      if (board.pool[code] == 0) continue;
      DarkChessBoard changed = board;
      changed.flip(action.from, code);
      sum -= board.pool[code] * value(changed, plies - 1);
    }
    return sum / board.hidden_count();
  }
  std::int64_t nodes() const { return nodes_; }

 private:
  // The value for the color to move.
  double value(const DarkChessBoard& board, int plies) {
    nodes_ += 1;
    if (plies == 0) return board.has_action() ? weight_lead(board, board.color) : -kWon;
    double best = -kWon;
    for (const DarkChessAction& action : board.actions())
      best = std::max(best, after(board, action, plies));
    return best;
  }

  std::int64_t nodes_ = 0;
};

Random random_for(const DarkChessPosition& position, std::uint64_t seed) {
  return Random(mix64(seed) + static_cast<std::uint64_t>(position.move_number()));
}

int move_of(const DarkChessPosition& position, const DarkChessAction& action) {
  return position.board().geometry->move_of(action.from, action.to);
}

}  // namespace

Finding dark_chess_minimax(const DarkChessPosition& position, int plies, std::uint64_t seed) {
  Random random = random_for(position, seed);
  MaterialSearch search;
  Finding out;
  int equal = 0;
  for (const DarkChessAction& action : position.board().actions()) {
    const double value = search.after(position.board(), action, plies);
    if (equal > 0 && value < out.value - kEqual) continue;
    const bool is_better = equal == 0 || value > out.value + kEqual;
    equal = is_better ? 1 : equal + 1;
    if (is_better) out.value = value;
    if (random.below(equal) == 0) out.move = move_of(position, action);
  }
  out.nodes = search.nodes();
  return out;
}

Finding random_move(const DarkChessPosition& position, std::uint64_t seed) {
  Random random = random_for(position, seed);
  return {.move = move_of(position, position.board().random_action(random))};
}

}  // namespace sparring
