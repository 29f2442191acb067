#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_othello_samples(nanobind::module_& m);

}  // namespace sparring
