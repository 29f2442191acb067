// What Python sees of glances.
#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_glance(nanobind::module_& m);

}  // namespace sparring
