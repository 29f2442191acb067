// The Python interface of Othello.
#include "bindings/bind_othello.h"

#include "bindings/bind_position.h"
#include "othello/othello.h"
#include "solvers/perft.h"

namespace sparring {

void bind_othello(nb::module_& m) {
  auto position = nb::class_<OthelloPosition>(
      m, "OthelloPosition",
      "A position of Othello. Colors are 0 Black, the first to move, and 1 White; a move is y * "
      "size + x\n"
      "from the top left, a pass is size * size. black_score is the difference in discs; once the\n"
      "game is over, empty cells count for the winner.");
  position.def(
      "__init__",
      [](OthelloPosition* self, int size) {
        if (!OthelloPosition::fits(size))
          refuse("board size " + std::to_string(size) + " is none of 4, 6, 8, 10");
        new (self) OthelloPosition(size);
      },
      "size"_a = 8);
  bind_common(position);
  bind_plain(position, "discs set up twice on a cell");
  bind_perft<OthelloPosition>(m);
}

}  // namespace sparring
