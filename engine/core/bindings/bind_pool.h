#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_pool(nanobind::module_& m);

}  // namespace sparring
