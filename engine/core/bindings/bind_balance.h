// Adds AlphaDDA3's search to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_balance(nanobind::module_& m);

}  // namespace sparring
