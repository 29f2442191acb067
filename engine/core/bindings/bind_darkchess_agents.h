#pragma once

#include <nanobind/nanobind.h>

#include "agents/dark_knight.h"

namespace sparring {

void bind_darkchess_agents(nanobind::module_& m);

// Throws std::invalid_argument, quoting the fault, unless the settings can search the material of
// the position.
void check_search(const DarkKnightSettings& settings, const DarkChessPosition& position);

}  // namespace sparring
