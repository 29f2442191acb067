#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_cpu_network(nanobind::module_& m);

}  // namespace sparring
