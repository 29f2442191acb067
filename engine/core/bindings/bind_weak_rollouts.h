// Adds weak rollouts and endgame balancing to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_weak_rollouts(nanobind::module_& m);

}  // namespace sparring
