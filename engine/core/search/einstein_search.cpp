#include "search/einstein_search.h"

namespace sparring {

template class Tree<EinsteinPosition>;

}  // namespace sparring
