#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_game_batch(nanobind::module_& m);

}  // namespace sparring
