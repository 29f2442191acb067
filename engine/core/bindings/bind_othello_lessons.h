#pragma once

#include <nanobind/nanobind.h>

namespace sparring {

void bind_othello_lessons(nanobind::module_& m);

}  // namespace sparring
