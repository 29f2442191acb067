// The Python interface of the solved small boards of dark chess.
#include "bindings/bind_darkchess_solver.h"

#include "bindings/bind_position.h"
#include "solvers/solve_darkchess.h"

namespace sparring {

namespace {

const DarkChessBoard& checked_board(const SolvedDarkChess& self,
                                    const DarkChessPosition& position) {
  if (position.width() * position.height() > DarkChessLayers::kMostCells ||
      position.rules().material != self.material())
    refuse("a position of another board or material than the solved one");
  return position.board();
}

int value(const SolvedDarkChess& self, const DarkChessPosition& position) {
  const DarkChessBoard& board = checked_board(self, position);
  if (position.is_over() && position.winner() >= 0)
    return position.winner() == position.to_move() ? SolvedDarkChess::kWhole
                                                   : -SolvedDarkChess::kWhole;
  return self.value(board);
}

std::vector<std::pair<int, int>> action_values(const SolvedDarkChess& self,
                                               const DarkChessPosition& position) {
  const DarkChessBoard& board = checked_board(self, position);
  std::vector<std::pair<int, int>> out;
  if (position.is_over()) return out;
  for (const auto& [action, value] : self.action_values(board))
    out.emplace_back(board.geometry->move_of(action.from, action.to), value);
  return out;
}

}  // namespace

void bind_darkchess_solver(nb::module_& m) {
  nb::class_<SolvedDarkChess>(
      m, "SolvedDarkChess",
      "All positions of a dark chess of at most 8 cells, solved: expected results of best play.\n"
      "Values are whole multiples of 1 / `whole`, for the side to move; endless play is drawn.")
      .def(
          "__init__",
          [](SolvedDarkChess* self, const DarkChessPosition& start) {
            nb::gil_scoped_release unlocked;
            new (self) SolvedDarkChess(*start.board().geometry, start.rules().material);
          },
          "start"_a, "Solves the board and the material of a position; up to a minute.")
      .def_prop_ro_static("whole", [](nb::handle) { return SolvedDarkChess::kWhole; })
      .def_prop_ro("positions", &SolvedDarkChess::positions,
                   "Solved positions from the side to move, reached by play or not.")
      .def_prop_ro("lookups", &SolvedDarkChess::lookups, "Lookups of values while solving.")
      .def("value", &value, "position"_a, "The value; quiet moves and repetitions do not count.")
      .def("action_values", &action_values, "position"_a,
           "(move, value for its side) of each legal move; none at the end.")
      .def(
          "distribution",
          [](const SolvedDarkChess& self) {
            std::vector<std::pair<int, std::int64_t>> out;
            nb::gil_scoped_release unlocked;
            for (const ValueCount& count : self.distribution())
              out.emplace_back(count.value, count.positions);
            return out;
          },
          "(value, number of positions) from the lowest value up: the positions that play from\n"
          "the start reaches, the start included, ends of games not.");
}

}  // namespace sparring
