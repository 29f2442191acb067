// The Python interface of the exact solvers, the same for every game.
#include "bindings/bind_solvers.h"

#include <limits>

#include "bindings/bind_position.h"
#include "common/bounds.h"
#include "solvers/solve_connect4.h"
#include "solvers/solve_othello.h"

namespace sparring {
namespace {

SolveLimits checked_limits(int64_t max_nodes, double max_seconds) {
  return {checked("max_nodes", max_nodes, 0, std::numeric_limits<int64_t>::max()),
          checked("max_seconds", max_seconds, 0, 1e9)};
}

// Scores are within +-100 in every game; a window beyond its bounds is open.
SolveWindow checked_window(std::optional<int> alpha, std::optional<int> beta) {
  constexpr int kMost = 1000;
  for (const auto& [name, bound] : {std::pair{"alpha", alpha}, std::pair{"beta", beta}})
    if (bound) checked(name, *bound, -kMost, kMost);
  if (alpha && beta && *alpha >= *beta)
    refuse("alpha " + std::to_string(*alpha) + " is not below beta " + std::to_string(*beta));
  return {alpha, beta};
}

int checked_megabytes(int megabytes) { return checked("megabytes", megabytes, 1, 1 << 20); }

template <typename Solver, typename Position>
nb::class_<Solver> bind_solver(nb::module_& m, const char* name, const char* about) {
  return nb::class_<Solver>(m, name, about)
      .def(
          "__init__",
          [](Solver* self, int megabytes) { new (self) Solver(checked_megabytes(megabytes)); },
          "megabytes"_a = 64)
      .def(
          "solve",
          [](Solver& self, const Position& position, int64_t max_nodes, double max_seconds,
             std::optional<int> alpha, std::optional<int> beta) {
            const SolveLimits limits = checked_limits(max_nodes, max_seconds);
            const SolveWindow window = checked_window(alpha, beta);
            nb::gil_scoped_release release;
            return self.solve(position, limits, window);
          },
          "position"_a, nb::kw_only(), "max_nodes"_a = 0, "max_seconds"_a = 0.0,
          "alpha"_a = nb::none(), "beta"_a = nb::none(),
          "The score of best play and a best move, for the side to move. Between alpha and beta "
          "the score is exact, outside it is a bound. Not exact\n"
          "after a limit (0: none) or stop(). One call at a time.")
      .def(
          "solve_moves",
          [](Solver& self, const Position& position, int64_t max_nodes, double max_seconds) {
            const SolveLimits limits = checked_limits(max_nodes, max_seconds);
            std::vector<std::pair<int, int>> moves;
            nb::gil_scoped_release release;
            for (const SolvedMove& solved : self.solve_moves(position, limits))
              moves.emplace_back(solved.move, solved.score);
            return moves;
          },
          "position"_a, nb::kw_only(), "max_nodes"_a = 0, "max_seconds"_a = 0.0,
          "(move, score of its side) of each legal move; fewer after a limit.")
      .def("stop", &Solver::stop, "Ends a running call of another thread soon.")
      .def("clear", &Solver::clear, "Clears the table of positions. Not during a call.");
}

void bind_othello_solver(nb::module_& m) {
  bind_solver<OthelloSolver, OthelloPosition>(
      m, "OthelloSolver",
      "Solves endings of Othello: the score is the difference in discs at the end, empty squares\n"
      "counting for the winner. Remembers positions in `megabytes`.")
      .def(
          "__init__",
          [](OthelloSolver* self, int megabytes, const std::string& instructions) {
            new (self) OthelloSolver(checked_megabytes(megabytes), instructions.c_str());
          },
          "megabytes"_a = 64, nb::kw_only(), "instructions"_a)
      .def_prop_ro("instructions", &OthelloSolver::set,
                   "Set of vector instructions in use; the results do not depend on it.");
}

}  // namespace

void bind_solvers(nb::module_& m) {
  nb::class_<Solution>(m, "Solution", "A solver's result, for the side to move.")
      .def_ro("score", &Solution::score, "In the game's own measure.")
      .def_ro("move", &Solution::move, "A best one; -1 when the game is over.")
      .def_ro("exact", &Solution::exact,
              "False when stopped before the end: score and move are guesses.")
      .def_ro("nodes", &Solution::nodes, "Positions entered.")
      .def_ro("pv", &Solution::pv, "Known moves of best play.");
  bind_solver<Connect4Solver, Connect4Position>(
      m, "Connect4Solver",
      "Solves any position of Connect4: 1 is a win by the last disc that fits, one more for every\n"
      "two discs earlier. Remembers positions in `megabytes`.");
  bind_othello_solver(m);
}

}  // namespace sparring
