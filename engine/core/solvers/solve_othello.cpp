#include "solvers/solve_othello.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

namespace sparring {
namespace {

constexpr std::size_t kAlignment = 64;

int score_now(const OthelloPosition& position) {
  return position.to_move() == 0 ? position.black_score() : -position.black_score();
}

OthelloPosition after(OthelloPosition position, int move) {
  position.play(move);
  return position;
}

template <typename Bits>
OthelloSquares squares_of(Bits bits) {
  if constexpr (std::is_same_v<Bits, Bits128>)
    return {static_cast<uint64_t>(bits), static_cast<uint64_t>(bits >> 64)};
  else
    return {bits, 0};
}

}  // namespace

void OthelloSolver::FreeMemory::operator()(void* memory) const { std::free(memory); }

OthelloSolver::OthelloSolver(int megabytes, const char* set) : search_(&othello_exact(set)) {
  state_.table_bytes = static_cast<uint64_t>(std::max(megabytes, 1)) << 20;
  // Untouched pages take no memory.
  memory_.reset(std::calloc(state_.table_bytes + kAlignment, 1));
  if (!memory_) throw std::bad_alloc();
  std::size_t space = state_.table_bytes + kAlignment;
  state_.table = memory_.get();
  std::align(kAlignment, state_.table_bytes, state_.table, space);
  state_.look = [](void* budget, int64_t nodes) {
    return static_cast<SolveBudget*>(budget)->look_at(nodes);
  };
  state_.look_argument = &budget_;
}

void OthelloSolver::wipe() { std::memset(state_.table, 0, state_.table_bytes); }

void OthelloSolver::clear() {
  const std::lock_guard guard(working_);
  wipe();
}

void OthelloSolver::begin(int size, const SolveLimits& limits) {
  if (size != size_ && size_ != 0) wipe();  // boards of two sizes may have the same bits
  size_ = size;
  budget_.begin(limits);
  ++state_.age;
  state_.nodes = 0;
  state_.stopped = false;
}

OthelloSolver::Found OthelloSolver::search(const OthelloPosition& position, int alpha, int beta) {
  if (position.is_over()) return {score_now(position), -1};
  if (position.legal(position.pass_move())) {
    const Found found = search(after(position, position.pass_move()), -beta, -alpha);
    return {-found.score, position.pass_move()};
  }
  return std::visit(
      [&](const auto& board) -> Found {
        OthelloExactTask task{squares_of(board.own), squares_of(board.other), alpha, beta, -1};
        const int score = search_->search[board.kSize / 2 - 2](state_, task);
        return {score, task.move < 0 ? -1 : board.cell_of(task.move)};
      },
      position.board());
}

Solution OthelloSolver::solve(const OthelloPosition& position, const SolveLimits& limits,
                              const SolveWindow& window) {
  const std::lock_guard guard(working_);
  begin(position.width(), limits);
  const int most = position.pass_move();
  const int alpha = window.alpha.value_or(-most), beta = window.beta.value_or(most);
  const Found found = search(position, alpha, beta);
  Solution solution;
  solution.score = found.score;
  solution.move = found.move;
  solution.exact = !state_.stopped;
  if (found.move >= 0) solution.pv.push_back(found.move);
  const bool inside =
      (alpha < found.score || alpha == -most) && (found.score < beta || beta == most);
  if (solution.exact && inside && found.move >= 0)
    follow(after(position, found.move), -found.score, solution.pv);
  solution.nodes = state_.nodes;
  return solution;
}

int OthelloSolver::score(const OthelloPosition& position) {
  const std::lock_guard guard(working_);
  begin(position.width(), {});
  return search(position, -position.pass_move(), position.pass_move()).score;
}

void OthelloSolver::follow(OthelloPosition position, int score, std::vector<int>& line) {
  while (!position.is_over()) {
    const Found found = search(position, score - 1, score + 1);
    if (state_.stopped) return;
    line.push_back(found.move);
    position.play(found.move);
    score = -score;
  }
}

std::vector<SolvedMove> OthelloSolver::solve_moves(const OthelloPosition& position,
                                                   const SolveLimits& limits) {
  const std::lock_guard guard(working_);
  begin(position.width(), limits);
  std::vector<SolvedMove> solved;
  const int most = position.pass_move();
  for (int move = 0; move < position.move_count() && !position.is_over(); ++move) {
    if (!position.legal(move)) continue;
    const Found found = search(after(position, move), -most, most);
    if (state_.stopped) break;
    solved.push_back({move, -found.score});
  }
  return solved;
}

BestMoves OthelloSolver::best_moves(const OthelloPosition& position) {
  const std::lock_guard guard(working_);
  begin(position.width(), {});
  const int most = position.pass_move();
  const Found best = search(position, -most, most);
  BestMoves found{best.score, {}};
  for (int move = 0; move < position.move_count() && !position.is_over(); ++move) {
    if (!position.legal(move)) continue;
    if (move == best.move ||
        search(after(position, move), -best.score, -best.score + 1).score <= -best.score)
      found.moves.push_back(move);
  }
  return found;
}

}  // namespace sparring
