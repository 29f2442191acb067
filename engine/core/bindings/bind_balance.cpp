// AlphaDDA3's search in Python, one class a game.
#include "bindings/bind_balance.h"

#include "bindings/bind_rows.h"
#include "common/bounds.h"
#include "search/balance_tree.h"
#include "search/connect4_search.h"
#include "search/go_search.h"
#include "search/othello_search.h"

namespace sparring {

namespace {

template <typename G>
bool select(BalanceTree<G>& tree, Planes spatial, Matrix global) {
  check_inputs(tree.game(), 1, spatial, global);
  if (tree.waits()) refuse("select on a tree that awaits its update");
  nb::gil_scoped_release unlocked;
  return tree.select(spatial.data(), global.data());
}

template <typename G>
void update(BalanceTree<G>& tree, Matrix value) {
  if (value.shape(0) < 1 || value.shape(1) != 3) refuse("value must be [n, 3]");
  if (!tree.waits()) refuse("update of a tree that awaits none");
  tree.update(value.data());
}

template <typename G>
void bind_balance_of(nb::module_& m, const char* name) {
  using T = BalanceTree<G>;
  nb::class_<T>(m, name, "AlphaDDA3's search of one position; see balance_tree.h.")
      .def(
          "__init__",
          [](T* self, const G& game, double exploration, double mean_value) {
            if (game.is_over()) refuse("the game is over: there is no move to choose");
            new (self) T(game, checked("exploration", exploration, -1e6, 1e6),
                         checked("mean_value", mean_value, -1, 1));
          },
          "game"_a, nb::kw_only(), "exploration"_a, "mean_value"_a)
      .def("select", &select<G>, "spatial"_a, "globals"_a,
           "Begins a simulation; True if its row waits for update().")
      .def("update", &update<G>, "value"_a,
           "Completes the simulation with the network's value float32 [n, 3] of the row.")
      .def("moves", &T::moves, "The root's moves, in rising order.")
      .def_prop_ro("simulations", &T::simulations, "Completed so far.");
}

}  // namespace

void bind_balance(nb::module_& m) {
  nb::class_<BalanceMove>(m, "BalanceMove", "A root move of AlphaDDA3's search.")
      .def_ro("move", &BalanceMove::move)
      .def_ro("visits", &BalanceMove::visits)
      .def_ro("distance", &BalanceMove::distance, "Mean |v + vbar| below the move.");
  bind_balance_of<GoPosition>(m, "GoBalanceTree");
  bind_balance_of<OthelloPosition>(m, "OthelloBalanceTree");
  bind_balance_of<Connect4Position>(m, "Connect4BalanceTree");
}

}  // namespace sparring
