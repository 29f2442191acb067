// Adds the search to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_tree(nanobind::module_& m);

}  // namespace sparring
