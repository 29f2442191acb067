#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_othello(nanobind::module_& m);

}  // namespace sparring
