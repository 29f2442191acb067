#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_othello_records(nanobind::module_& m);

}  // namespace sparring
