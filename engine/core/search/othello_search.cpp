#include "search/othello_search.h"

namespace sparring {

template class Tree<OthelloPosition>;

}  // namespace sparring
