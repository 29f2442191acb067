// The rows of positions between a tree or self-play and a network: numpy arrays, checked against
// their game. Other shapes raise ValueError.
#pragma once

#include <nanobind/ndarray.h>

#include <cstdint>
#include <string>

#include "bindings/bind_position.h"

namespace sparring {

using Planes = nb::ndarray<std::uint8_t, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline void check_slot(int slot) {
  if (slot < 0 || slot >= 64) refuse("slot " + std::to_string(slot) + " is not in 0..63");
}

// The input arrays of `rows` positions.
template <typename G>
void check_inputs(const G& game, int rows, const Planes& spatial, const Matrix& global) {
  checked("rows", rows, 0, kMostCount);
  if (rows > static_cast<int>(spatial.shape(0)) || rows > static_cast<int>(global.shape(0)))
    refuse("the arrays hold fewer rows than " + std::to_string(rows));
  if (spatial.shape(1) != G::kPlanes || global.shape(1) != G::kGlobals ||
      static_cast<int>(spatial.shape(2)) != game.height() ||
      static_cast<int>(spatial.shape(3)) != game.width())
    refuse("spatial must be [rows, planes, height, width], globals [rows, globals]");
}

// A network's outputs for `rows` positions.
template <typename G>
void check_outputs(const G& game, int rows, const Matrix& policy, const Matrix& value,
                   const Matrix& misc, const Matrix& owners) {
  if (static_cast<int>(policy.shape(1)) != game.move_count() || value.shape(1) != 3 ||
      misc.shape(1) != 6 ||
      (G::kHasOwnership && static_cast<int>(owners.shape(1)) != game.width() * game.height()))
    refuse("outputs must be policy [n, moves], value [n, 3], misc [n, 6], ownership [n, area]");
  for (const auto* outputs : {&policy, &value, &misc, &owners})
    if (rows > static_cast<int>(outputs->shape(0)))
      refuse("fewer output rows than the " + std::to_string(rows) + " of the slot");
}

}  // namespace sparring
