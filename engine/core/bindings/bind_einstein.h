#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_einstein(nanobind::module_& m);

}  // namespace sparring
