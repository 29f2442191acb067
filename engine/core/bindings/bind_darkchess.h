#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_darkchess(nanobind::module_& m);

}  // namespace sparring
