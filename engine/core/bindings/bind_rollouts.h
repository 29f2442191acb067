#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_rollouts(nanobind::module_& m);

}  // namespace sparring
