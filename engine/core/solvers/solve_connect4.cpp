#include "solvers/solve_connect4.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "solvers/connect4_scout.h"

namespace sparring {

namespace {

// The score of a finished game, of the side to move.
int final_score(const Connect4Position& position) {
  return position.to_move() == 0 ? position.black_score() : -position.black_score();
}

// The legal columns, from the middle outwards.
std::vector<int> columns_of(const Connect4Board& board) {
  std::vector<int> columns;
  for (int column = 0; column < board.width; ++column)
    if (board.can_play(column)) columns.push_back(column);
  const auto off_middle = [&](int column) { return std::abs(2 * column - (board.width - 1)); };
  std::stable_sort(columns.begin(), columns.end(),
                   [&](int a, int b) { return off_middle(a) < off_middle(b); });
  return columns;
}

template <int Height>
class Solving {
 public:
  Solving(const Connect4Board& board, Connect4Table& table, SolveBudget& budget)
      : scout_(board, table, budget), budget_(budget) {}

  // The score of an unfinished game within [low, high], by bisection. With a spent budget, the
  // remaining bounds.
  ScoreBounds score(const Connect4Board& board, int low, int high) {
    const ScoreBounds outlook = scout_.outlook(board.own, board.all);
    ScoreBounds bounds{std::clamp(outlook.low, low, high), std::clamp(outlook.high, low, high)};
    while (bounds.low < bounds.high) {
      // Far from 0 first: shallow searches exclude quick wins and losses, and leave bounds for the
      // deeper ones.
      int middle = bounds.low + (bounds.high - bounds.low) / 2;
      if (middle <= 0 && bounds.low / 2 < middle)
        middle = bounds.low / 2;
      else if (middle >= 0 && bounds.high / 2 > middle)
        middle = bounds.high / 2;
      const int found = scout_.bound(board.own, board.all, middle + 1);
      if (budget_.spent()) return bounds;
      if (found > middle)
        bounds.low = std::clamp(found, low, high);
      else
        bounds.high = std::clamp(found, low, high);
    }
    return bounds;
  }

  // As Connect4Scout::outlook().
  ScoreBounds outlook(const Connect4Board& board) const {
    return scout_.outlook(board.own, board.all);
  }

  // Tests whether the move scores at least `score` for its side; false with a spent budget.
  bool reaches(const Connect4Board& board, int column, int score) {
    if (board.is_winning_move(column)) return true;
    Connect4Board after = board;
    after.play(column);
    if (after.is_full()) return score <= 0;
    const int found = -scout_.bound(after.own, after.all, 1 - score);
    return !budget_.spent() && found >= score;
  }

  // A move that scores at least `score`; with a spent budget, one that does not lose at once, if
  // any.
  int move(const Connect4Board& board, int score) {
    const std::vector<int> columns = columns_of(board);
    for (const int column : columns)
      if (board.is_winning_move(column)) return column;
    for (const int column : columns)
      if (reaches(board, column, score)) return column;
    return *std::min_element(columns.begin(), columns.end(), [&](int a, int b) {
      return answered_at_least(board, a) < answered_at_least(board, b);
    });
  }

 private:
  // The opponent's proven minimum after a move that does not end the game by four.
  int answered_at_least(const Connect4Board& board, int column) const {
    Connect4Board after = board;
    after.play(column);
    return after.is_full() ? 0 : scout_.outlook(after.own, after.all).low;
  }

  Connect4Scout<Height> scout_;
  SolveBudget& budget_;
};

// Calls `use` with the Solving of the board's height.
template <int Height = 4, typename Use>
void with_solving(const Connect4Board& board, Connect4Table& table, SolveBudget& budget,
                  const Use& use) {
  if constexpr (Connect4Board::fits(4, Height)) {
    if (board.height != Height) return with_solving<Height + 1>(board, table, budget, use);
    Solving<Height> solving(board, table, budget);
    use(solving);
  }
}

// Appends best play after the solution's move, as far as it is quickly found.
template <typename Solver>
void follow(Solver& solving, Connect4Board board, SolveBudget& budget, Solution& solution) {
  // Solved positions are in the table; other moves of the line may need a search.
  constexpr int64_t kMoreNodes = 20'000;
  const int64_t most = budget.nodes() + budget.nodes() / 4 + kMoreNodes;
  budget.lower_nodes(most);
  int score = solution.score;
  int move = solution.move;
  while (true) {
    solution.pv.push_back(move);
    const bool won = board.is_winning_move(move);
    board.play(move);
    if (won || board.is_full()) return;
    score = -score;
    move = solving.move(board, score);
    if (budget.spent()) return;
  }
}

}  // namespace

void Connect4Solver::fit_table(const Connect4Board& board) {
  if (board.width == width_ && board.height == height_) return;
  table_.clear();
  width_ = board.width;
  height_ = board.height;
}

ScoreBounds Connect4Solver::bounds(const Connect4Position& position, int most_empty) {
  const Connect4Board& board = position.board();
  const bool searched = position.area() - board.count() <= most_empty;
  if (searched) fit_table(board);
  budget_.begin({});
  ScoreBounds found{};
  with_solving(board, table_, budget_, [&](auto& solving) {
    found =
        searched ? solving.score(board, -position.area(), position.area()) : solving.outlook(board);
  });
  return found;
}

Solution Connect4Solver::solve(const Connect4Position& position, const SolveLimits& limits,
                               const SolveWindow& window) {
  Solution solution;
  if (position.is_over()) {
    solution.score = final_score(position);
    solution.exact = true;
    return solution;
  }
  const Connect4Board& board = position.board();
  fit_table(board);
  budget_.begin(limits);
  with_solving(board, table_, budget_, [&](auto& solving) {
    const int low = window.alpha.value_or(-position.area());
    const ScoreBounds bounds = solving.score(board, low, window.beta.value_or(position.area()));
    solution.exact = bounds.low == bounds.high;
    solution.score = std::clamp(0, bounds.low, bounds.high);
    solution.move = solving.move(board, bounds.low);
    // Below the window all moves count as equal.
    if (solution.exact && bounds.low > low && budget_.spent()) solution.exact = false;
    solution.nodes = budget_.nodes();
    if (solution.exact && !budget_.spent())
      follow(solving, board, budget_, solution);
    else
      solution.pv = {solution.move};
  });
  return solution;
}

std::vector<SolvedMove> Connect4Solver::solve_moves(const Connect4Position& position,
                                                    const SolveLimits& limits) {
  std::vector<SolvedMove> solved;
  if (position.is_over()) return solved;
  fit_table(position.board());
  budget_.begin(limits);
  with_solving(position.board(), table_, budget_, [&](auto& solving) {
    for (const int column : columns_of(position.board())) {
      Connect4Position after = position;
      after.play(column);
      if (after.is_over()) {
        solved.push_back({column, -final_score(after)});
        continue;
      }
      const ScoreBounds bounds = solving.score(after.board(), -position.area(), position.area());
      if (bounds.low == bounds.high) solved.push_back({column, -bounds.low});
    }
  });
  std::sort(solved.begin(), solved.end(),
            [](const SolvedMove& a, const SolvedMove& b) { return a.move < b.move; });
  return solved;
}

BestMoves Connect4Solver::best_moves(const Connect4Position& position) {
  BestMoves found;
  if (position.is_over()) {
    found.score = final_score(position);
    return found;
  }
  const Connect4Board& board = position.board();
  fit_table(board);
  budget_.begin({});
  with_solving(board, table_, budget_, [&](auto& solving) {
    found.score = solving.score(board, -position.area(), position.area()).low;
    for (const int column : columns_of(board))
      if (solving.reaches(board, column, found.score)) found.moves.push_back(column);
  });
  std::sort(found.moves.begin(), found.moves.end());
  return found;
}

}  // namespace sparring
