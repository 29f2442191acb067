#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_training(nanobind::module_& m);

}  // namespace sparring
