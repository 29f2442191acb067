#include "search/darkchess_search.h"

namespace sparring {

template class Tree<DarkChessPosition>;

}  // namespace sparring
