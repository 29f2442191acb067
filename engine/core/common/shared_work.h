// Work in parts, shared between threads.
#pragma once

#include <functional>

namespace sparring {

// Calls part(0) to part(parts - 1), each once, on as many threads at most; back when all are done.
// The threads are OpenMP's where a library of this process has them: they may still be waiting
// actively for that library's next work, and others would have to share the cores with them.
void share_work(int parts, int threads, const std::function<void(int)>& part);

}  // namespace sparring
