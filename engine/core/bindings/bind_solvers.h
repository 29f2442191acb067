#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_solvers(nanobind::module_& m);

}  // namespace sparring
