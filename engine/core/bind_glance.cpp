// The beginner's glance in Python.
#include "bind_glance.h"

#include "bind_position.h"
#include "glance.h"

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
}

}  // namespace

void bind_glance(nb::module_& m) {
  bind_for<GoPosition>(m);
  bind_for<OthelloPosition>(m);
  bind_for<Connect4Position>(m);
}

}  // namespace sparring
