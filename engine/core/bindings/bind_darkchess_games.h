#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_darkchess_games(nanobind::module_& m);

}  // namespace sparring
