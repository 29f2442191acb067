#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_go(nanobind::module_& m);

}  // namespace sparring
