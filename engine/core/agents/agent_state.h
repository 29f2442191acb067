// A game for the tree agents: moves in order, forced passes included, and the winner. No colors, no
// history: the side to move and its opponent.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>

#include "common/random.h"
#include "connect4/connect4_board.h"
#include "othello/othello_board.h"

namespace sparring {

// The legal moves of a position in rising order, by the numbers of the game's policy.
class AgentMoves {
 public:
  static constexpr int kMost = 100;  // above the maximum of every board here

  void add(int move) { moves_[size_++] = static_cast<std::int16_t>(move); }
  int size() const { return size_; }
  int operator[](int i) const { return moves_[i]; }
  const std::int16_t* begin() const { return moves_.data(); }
  const std::int16_t* end() const { return moves_.data() + size_; }
  // In a uniformly random order.
  void shuffle(Random& random) {
    for (int i = size_ - 1; i > 0; --i) std::swap(moves_[i], moves_[random.below(i + 1)]);
  }

 private:
  std::array<std::int16_t, kMost> moves_;
  int size_ = 0;
};

// An agent's decision and its cost.
struct Finding {
  int move = -1;           // -1 when the game is over
  double value = 0.0;      // the mover's view, in the agent's own measure
  std::int64_t nodes = 0;  // positions examined, or games played out
};

template <typename S>
concept AgentState =
    std::copyable<S> && requires(const S state, S changed, int move, Random random) {
      { state.is_over() } -> std::same_as<bool>;
      // At the end of a game: 1 for a win of the side to move, -1 for its loss, 0 for a draw.
      { state.result() } -> std::same_as<int>;
      { state.moves() } -> std::same_as<AgentMoves>;  // none when it is over
      { changed.play(move) } -> std::same_as<void>;
      { changed.play_random(random) } -> std::same_as<void>;
    };

template <int N>
class OthelloState {
 public:
  using Board = OthelloBoard<N>;
  using Bits = typename Board::Bits;

  explicit OthelloState(const Board& board) : board_(board) { look(); }

  const Board& board() const { return board_; }
  Bits squares() const { return squares_; }  // the legal squares; none before a pass
  bool is_over() const { return over_; }
  int result() const {
    const int own = board_.count_own(), other = board_.count_other();
    return (own > other) - (own < other);
  }
  AgentMoves moves() const {
    AgentMoves moves;
    for (Bits rest = squares_; rest != 0; rest &= rest - 1)
      moves.add(Board::cell_of(lowest_bit(rest)));
    if (squares_ == 0 && !over_) moves.add(Board::kCells);
    return moves;
  }
  void play(int move) { move == Board::kCells ? pass() : play_square(Board::square_of(move)); }
  void play_square(int square) {
    board_.play(square);
    look();
  }
  void pass() {
    board_.pass();
    look();
  }
  void play_random(Random& random) {
    squares_ == 0 ? pass()
                  : play_square(lowest_bit(random_bit(squares_, count_bits(squares_), random)));
  }

 private:
  void look() {
    squares_ = board_.moves();
    over_ = squares_ == 0 && board_.swapped().moves() == 0;
  }

  Board board_;
  Bits squares_ = 0;
  bool over_ = false;
};

class Connect4State {
 public:
  using Board = Connect4Board;

  explicit Connect4State(const Board& board) : board_(board), lost_(board.is_lost()) {}

  const Board& board() const { return board_; }
  bool is_over() const { return lost_ || board_.is_full(); }
  int result() const { return lost_ ? -1 : 0; }
  AgentMoves moves() const {
    AgentMoves moves;
    for (int column = 0; column < board_.width && !lost_; ++column)
      if (board_.can_play(column)) moves.add(column);
    return moves;
  }
  void play(int move) {
    board_.play(move);
    lost_ = board_.is_lost();
  }
  void play_random(Random& random) {
    const Board::Bits playable = board_.playable();
    const Board::Bits cell = random_bit(playable, std::popcount(playable), random);
    board_.own ^= board_.all;
    board_.all |= cell;
    lost_ = board_.is_lost();
  }

 private:
  Board board_;
  bool lost_ = false;  // the side to move, by its opponent's last disc
};

static_assert(AgentState<OthelloState<6>> && AgentState<OthelloState<10>>);
static_assert(AgentState<Connect4State>);

}  // namespace sparring
