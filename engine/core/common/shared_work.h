// Work in parts, shared between threads.
#pragma once

#include <functional>

namespace sparring {

// Calls part(0) to part(parts - 1), once each, on at most so many threads; blocks until all are
// done. Throws std::invalid_argument on a number of threads outside 1..kMostThreads. The threads
// are OpenMP's if a library of this process has loaded it. They may still wait actively for that
// library's next work, and other threads would have to share the cores with them.
void share_work(int parts, int threads, const std::function<void(int)>& part);

}  // namespace sparring
