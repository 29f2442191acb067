#include "othello/othello_records.h"

#include <stdexcept>
#include <string>

#include "othello/othello_board.h"

namespace sparring {

namespace {

using Board = OthelloBoard<8>;

class Recorder {
 public:
  explicit Recorder(OthelloRecords& out) : out_(out) {}

  void begin() {
    board_ = Board::start();
    to_move_ = 0;
  }
  void end() {
    out_.black.push_back(to_move_ == 0 ? board_.own : board_.other);
    out_.white.push_back(to_move_ == 0 ? board_.other : board_.own);
    out_.over.push_back(board_.moves() == 0 && board_.swapped().moves() == 0);
    ++game_;
  }
  // Passes first if there is no other move. Returns false on an illegal move.
  bool play(int cell) {
    if (board_.moves() == 0) {
      add(Board::kCells);
      board_.pass();
      to_move_ ^= 1;
    }
    if (cell >= Board::kCells || (board_.moves() & Board::bit(cell)) == 0) return false;
    add(cell);
    board_.play(cell);
    to_move_ ^= 1;
    return true;
  }

 private:
  void add(int move) {
    out_.own.push_back(board_.own);
    out_.other.push_back(board_.other);
    out_.to_move.push_back(static_cast<std::uint8_t>(to_move_));
    out_.move.push_back(static_cast<std::uint8_t>(move));
    out_.game.push_back(game_);
  }

  OthelloRecords& out_;
  Board board_;
  int to_move_ = 0;
  std::int32_t game_ = 0;
};

}  // namespace

OthelloRecords play_records(std::span<const std::uint8_t> moves,
                            std::span<const std::int32_t> lengths) {
  OthelloRecords out;
  Recorder recorder(out);
  std::size_t next = 0;
  for (std::size_t game = 0; game < lengths.size(); ++game) {
    if (lengths[game] < 0 || static_cast<std::size_t>(lengths[game]) > moves.size() - next)
      throw std::invalid_argument("game " + std::to_string(game) + " has " +
                                  std::to_string(lengths[game]) + " moves, " +
                                  std::to_string(moves.size() - next) + " are left");
    recorder.begin();
    for (int i = 0; i < lengths[game]; ++i, ++next)
      if (!recorder.play(moves[next]))
        throw std::invalid_argument("game " + std::to_string(game) + ": move " +
                                    std::to_string(i + 1) + ", cell " +
                                    std::to_string(moves[next]) + ", is illegal");
    recorder.end();
  }
  if (next != moves.size())
    throw std::invalid_argument(std::to_string(moves.size() - next) + " moves belong to no game");
  return out;
}

}  // namespace sparring
