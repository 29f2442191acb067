// Adds self-play to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_self_play(nanobind::module_& m);

}  // namespace sparring
