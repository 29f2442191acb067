// Compiled once for each set of instructions; SPARRING_OTHELLO names the table, SPARRING_SET the
// set. Do not call the standard library here, see kernels.cpp.
#include "simd/othello_exact.h"

#include "simd/othello_endgame.h"
#include "simd/othello_table.h"

namespace sparring {
namespace {

// Empty squares from which the table is probed for all moves before any search.
constexpr int kLeastToProbe = 9;

// Move ordering weights, in points.
struct OrderWeights {
  int best_before = 1 << 20;  // the table's best move
  int wipe_out = 1 << 21;     // the opponent has no disc left
  int odd_quarter = 8;
  int opponent_move = 16;     // less for each move the opponent gets
  int opponent_corner = 16;   // and as much again if it is a corner
  int opponent_prospect = 6;  // less for each empty square beside our discs
  int corner_disc = 12;       // of ours
};
constexpr OrderWeights kWeights{};

template <int N>
class Searcher {
 public:
  using Grid = Lines<N>;
  using Bits = typename Grid::Bits;
  using Last = Endgame<N>;
  static constexpr int kCells = Grid::kCells;

  explicit Searcher(OthelloExactState& state) : state_(state), table_(state) {
    last_.nodes = state.nodes;
  }

  // The score if between alpha and beta, else a bound on it; own has a move.
  int root(Bits own, Bits other, int alpha, int beta, int& move) {
    const Bits empty = Grid::kAll & ~(own | other);
    root_empties_ = count_of(empty);
    const int score = deep(own, other, alpha, beta, root_empties_, Quarters<N>::odd(empty));
    state_.nodes = last_.nodes;
    move = root_move_;
    return score;
  }

 private:
  struct Move {
    Bits flipped;
    int worth;
    uint8_t square;
  };

  bool stopped() {
    if (last_.nodes >= next_look_ && !state_.stopped) {
      next_look_ = state_.look(state_.look_argument, last_.nodes);
      state_.stopped = next_look_ <= last_.nodes;
    }
    return state_.stopped;
  }

  int after(Bits own, Bits other, const Move& move, int alpha, int beta, int empties, int odd) {
    const Bits mover = own | move.flipped | Grid::bit(move.square);
    const Bits next = other & ~move.flipped;
    odd ^= Quarters<N>::kQuarters.of[move.square];
    if (empties - 1 <= Last::kShallow && empties - 1 >= 5 && beta == alpha + 1)
      return -last_.shallow(next, mover, -beta, empties - 1, odd);
    return -deep(next, mover, -beta, -alpha, empties - 1, odd);
  }

  int deep(Bits own, Bits other, int alpha, int beta, int empties, int odd) {
    ++last_.nodes;
    const bool is_root = empties == root_empties_;
    if (!is_root && stopped()) return alpha;
    if (int bound;
        !is_root && alpha >= stability_pays(empties) && Last::hopeless(own, other, alpha, bound))
      return bound;
    const Bits moves = Grid::moves(own, other);
    if (moves == 0) {
      if (Grid::moves(other, own) == 0) return Last::final_score(own, other);
      return -deep(other, own, -beta, -alpha, empties, odd);
    }
    const uint64_t hash = table_.hash(own, other);
    int before = kNoSquare;
    if (const auto* entry = table_.find(hash, own, other)) {
      before = entry->move;
      if (!is_root) {
        if (entry->lower >= beta || entry->lower == entry->upper) return entry->lower;
        if (entry->upper <= alpha) return entry->upper;
      }
    }
    Move list[Grid::kCells];
    int count = 0;
    for (Bits left = moves; left != 0; left &= left - 1) {
      Move& move = list[count++];
      move.square = static_cast<uint8_t>(first_of(left));
      move.flipped = Grid::flips(move.square, own, other);
    }
    const int64_t nodes_before = last_.nodes;
    if (count > 1) rate(list, count, own, other, before, odd);
    if (empties >= kLeastToProbe && !is_root)
      for (int i = 0; i < count; ++i)
        if (const int score = known_after(own, other, list[i]); score >= beta) return score;

    int best = Last::kNone, best_square = kNoSquare;
    for (int i = 0; i < count; ++i) {
      for (int j = i + 1; j < count; ++j)
        if (list[j].worth > list[i].worth) {
          const Move better = list[j];
          list[j] = list[i];
          list[i] = better;
        }
      if (is_root && i == 0) root_move_ = list[0].square;  // in case there is time for no other
      const int floor = best > alpha ? best : alpha;
      int score;
      if (i == 0 || beta == floor + 1) {
        score = after(own, other, list[i], floor, beta, empties, odd);
      } else {
        score = after(own, other, list[i], floor, floor + 1, empties, odd);
        if (score > floor && score < beta && !state_.stopped)
          score = after(own, other, list[i], floor, beta, empties, odd);
      }
      if (state_.stopped) return best != Last::kNone ? best : count_of(own) - count_of(other);
      if (score > best) {
        best = score;
        best_square = list[i].square;
        if (is_root) root_move_ = best_square;
        if (best >= beta) break;
      }
    }
    typename Table<Bits>::Entry found{};
    found.own = own;
    found.other = other;
    found.lower = static_cast<int8_t>(best > alpha ? best : -kCells);
    found.upper = static_cast<int8_t>(best < beta ? best : kCells);
    found.move = static_cast<uint8_t>(best_square);
    found.work = static_cast<uint8_t>(64 - __builtin_clzll(last_.nodes - nodes_before + 1));
    table_.store(hash, found);
    return best;
  }

  // The side to move's proven minimum by a move, from the table.
  int known_after(Bits own, Bits other, const Move& move) const {
    const Bits mover = own | move.flipped | Grid::bit(move.square), next = other & ~move.flipped;
    const auto* entry = table_.find(table_.hash(next, mover), next, mover);
    return entry == nullptr ? -kCells : -entry->upper;
  }

  static int stability_pays(int empties) { return empties <= 9 ? 2 * empties - 2 : 2 * empties; }

  void rate(Move* list, int count, Bits own, Bits other, int before, int odd) const {
    for (int i = 0; i < count; ++i) {
      Move& move = list[i];
      if (move.flipped == other) {
        move.worth = kWeights.wipe_out;
        continue;
      }
      if (move.square == before) {
        move.worth = kWeights.best_before;
        continue;
      }
      const Bits square = Grid::bit(move.square);
      const Bits mover = own | move.flipped | square, next = other & ~move.flipped;
      const Bits replies = Grid::moves(next, mover);
      int worth = 0;
      if (Quarters<N>::kQuarters.of[move.square] & odd) worth += kWeights.odd_quarter;
      worth -= kWeights.opponent_move * count_of(replies);
      worth -= kWeights.opponent_corner * count_of(replies & kCorners);
      worth -= kWeights.opponent_prospect * count_of(around(mover) & ~(mover | next));
      worth += kWeights.corner_disc * count_of(mover & kCorners);
      move.worth = worth;
    }
  }

  static constexpr Bits kCorners = Grid::bit(0) | Grid::bit(N - 1) |
                                   Grid::bit((N - 1) * Grid::kRow) |
                                   Grid::bit((N - 1) * Grid::kRow + N - 1);

  static Bits around(Bits discs) {
    constexpr int kRow = Grid::kRow;
    const Bits inner = discs & Grid::kInner;
    return inner << 1 | inner >> 1 | discs << kRow | discs >> kRow | inner << (kRow + 1) |
           inner >> (kRow + 1) | inner << (kRow - 1) | inner >> (kRow - 1);
  }

  OthelloExactState& state_;
  Table<Bits> table_;
  Last last_;
  int64_t next_look_ = 0;
  int root_empties_ = 0;
  int root_move_ = -1;
};

template <int N>
typename Lines<N>::Bits bits_of(const OthelloSquares& squares) {
  if constexpr (sizeof(typename Lines<N>::Bits) == 8)
    return squares.low;
  else
    return static_cast<Bits128>(squares.high) << 64 | squares.low;
}

template <int N>
int search(OthelloExactState& state, OthelloExactTask& task) {
  return Searcher<N>(state).root(bits_of<N>(task.own), bits_of<N>(task.other), task.alpha,
                                 task.beta, task.move);
}

}  // namespace

extern const OthelloExact SPARRING_OTHELLO = {SPARRING_SET,
                                              {search<4>, search<6>, search<8>, search<10>}};

}  // namespace sparring
