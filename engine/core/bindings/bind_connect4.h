#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_connect4(nanobind::module_& m);

}  // namespace sparring
