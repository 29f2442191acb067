// The beginner's glance and weak players' games in Python.
#include "bind_glance.h"

#include "bind_position.h"
#include "glance.h"
#include "weak_playouts.h"

namespace sparring {

namespace {

template <typename Position>
void bind_for(nb::module_& m) {
  m.def(
      "glance",
      [](const Position& position) {
        auto out = new_array<float>({static_cast<std::size_t>(position.move_count())});
        glance(position, out.data());
        return out;
      },
      "position"_a,
      "float32 [move_count] how a beginner's glance likes each move, in nats; -inf for what\n"
      "random_move never takes.");
  m.def(
      "weak_wins",
      [](const Position& position, double greed, int games, std::uint64_t seed) {
        if (games < 1) throw nb::value_error("games must be 1 or more");
        Random random(seed);
        nb::gil_scoped_release unlocked;
        return weak_wins(position, greed, games, random);
      },
      "position"_a, nb::kw_only(), "greed"_a, "games"_a, "seed"_a,
      "The share of so many games that the side to move wins, a draw being half of one, where "
      "both\n"
      "draw moves by the softmax of greed times the glance.");
}

}  // namespace

void bind_glance(nb::module_& m) {
  bind_for<GoPosition>(m);
  bind_for<OthelloPosition>(m);
  bind_for<Connect4Position>(m);
}

}  // namespace sparring
