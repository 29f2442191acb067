#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_tabular(nanobind::module_& m);

}  // namespace sparring
