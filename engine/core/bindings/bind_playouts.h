#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_playouts(nanobind::module_& m);

}  // namespace sparring
