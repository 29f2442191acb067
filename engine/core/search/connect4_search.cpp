#include "search/connect4_search.h"

namespace sparring {

template class Tree<Connect4Position>;

}  // namespace sparring
