// The Python interface of Connect4.
#include "bindings/bind_connect4.h"

#include "bindings/bind_position.h"
#include "connect4/connect4.h"
#include "solvers/perft.h"

namespace sparring {

void bind_connect4(nb::module_& m) {
  auto position = nb::class_<Connect4Position>(
      m, "Connect4Position",
      "A position of Connect4. Colors are 0, the first to move, and 1; a move is a column from\n"
      "the left, a cell y * width + x from the top left. black_score is 0 until the game is won,\n"
      "then 1 for a win by the last disc that fits and one more for every two discs earlier,\n"
      "negative for a win of color 1.");
  position.def(
      "__init__",
      [](Connect4Position* self, int width, int height) {
        if (!Connect4Board::fits(width, height))
          refuse("board size " + std::to_string(width) + "x" + std::to_string(height) +
                 " is not at least 4x4 with width * (height + 1) up to 64");
        new (self) Connect4Position(width, height);
      },
      "width"_a = 7, "height"_a = 6);
  bind_common(position);
  bind_plain(position,
             "discs set up twice on a cell, above an empty one, or with four in a row of both");
  bind_perft<Connect4Position>(m);
}

}  // namespace sparring
