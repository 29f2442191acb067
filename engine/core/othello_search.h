// The search of Othello: nothing but the defaults.
#pragma once

#include "othello.h"
#include "tree.h"

namespace sparring {

extern template class Tree<OthelloPosition>;

}  // namespace sparring
