#include "solvers/darkchess_hunt.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "agents/dark_chess_material.h"

namespace sparring {

namespace {

// What is known of a board of one side to move: plies within which the hunter captures, and plies
// within which it can't.
struct Known {
  std::int8_t captures_in = INT8_MAX;
  std::int8_t fails_in = -1;
};

class Hunter {
 public:
  Hunter(int hunter, std::int64_t most_boards) : hunter_(hunter), boards_left_(most_boards) {}

  bool is_spent() const { return boards_left_ <= 0; }

  // Tests whether the hunter's action forces a capture within so many plies, this one included.
  bool forces(DarkChessBoard board, const DarkChessAction& action, int plies) {
    if (action.is_flip()) return false;
    if (board.move(action.from, action.to) >= 0) return stays_won(board);
    return plies > 1 && is_trapped(board, plies - 1);
  }

  // Tests whether the material is a likely win of the hunter.
  bool is_won(const DarkChessBoard& board) const {
    const auto won = hunter_ == 0 ? LikelyOutcome::kRedWins : LikelyOutcome::kBlackWins;
    return likely_outcome(material_of(board)) == won;
  }

 private:
  // Tests whether the board is won after each capture in answer.
  bool stays_won(const DarkChessBoard& board) const {
    if (!is_won(board)) return false;
    for (const DarkChessAction& action : board.captures()) {
      DarkChessBoard after = board;
      after.move(action.from, action.to);
      if (!is_won(after)) return false;
    }
    return true;
  }

  // The same for the side to move: tests whether one of the hunter's actions forces a capture.
  bool captures_within(const DarkChessBoard& board, int plies) {
    for (const DarkChessAction& action : board.actions())
      if (forces(board, action, plies)) return true;
    return false;
  }

  // Tests whether the opponent, to move, can't escape a capture within so many plies.
  bool is_trapped(const DarkChessBoard& board, int plies) {
    if (--boards_left_ <= 0) return false;
    Known& known = known_[board.hash()];
    if (known.captures_in <= plies) return true;
    if (known.fails_in >= plies) return false;
    const bool is_caught = has_no_escape(board, plies);
    if (is_spent()) return false;
    Known& found = known_[board.hash()];  // the table may have grown
    if (is_caught)
      found.captures_in = static_cast<std::int8_t>(plies);
    else
      found.fails_in = static_cast<std::int8_t>(plies);
    return is_caught;
  }

  bool has_no_escape(const DarkChessBoard& board, int plies) {
    if (board.hidden != 0) return false;
    for (const DarkChessAction& action : board.actions()) {
      DarkChessBoard after = board;
      if (after.move(action.from, action.to) >= 0 && !is_won(after)) return false;
      if (plies < 2 || !captures_within(after, plies - 1)) return false;
    }
    return true;
  }

  int hunter_;
  std::int64_t boards_left_;
  std::unordered_map<std::uint64_t, Known> known_;  // by the opponent's boards
};

// The plies up to the draw by quiet moves; a capture may be the last one.
int plies_left(const DarkChessPosition& position, int most_plies) {
  const int limit = position.rules().quiet_limit;
  return limit == 0 ? most_plies : std::min(most_plies, limit - position.quiet_moves());
}

bool repeats(const DarkChessPosition& position, int move) {
  if (position.is_flip(move)) return false;
  DarkChessPosition after = position;
  after.play(move);
  return after.occurrences() > 0;
}

}  // namespace

DarkChessHunt hunt(const DarkChessPosition& position, int most_plies, std::int64_t most_boards) {
  DarkChessHunt out;
  const DarkChessBoard& board = position.board();
  if (position.is_over() || board.color == DarkChessBoard::kNoColor) return out;
  Hunter hunter(board.color, most_boards);
  out.is_won = hunter.is_won(board);
  if (!out.is_won) return out;
  std::vector<std::pair<int, DarkChessAction>> fresh;  // moves and actions
  for (const DarkChessAction& action : board.actions()) {
    const int move = board.geometry->move_of(action.from, action.to);
    if (repeats(position, move))
      out.repeating.push_back(move);
    else
      fresh.push_back({move, action});
  }
  const int most = plies_left(position, most_plies);
  for (int plies = 1; plies <= most && out.moves.empty() && !hunter.is_spent(); plies += 2)
    for (const auto& [move, action] : fresh)
      if (hunter.forces(board, action, plies)) {
        out.moves.push_back(move);
        out.plies = plies;
      }
  return out;
}

}  // namespace sparring
