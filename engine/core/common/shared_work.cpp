#include "common/shared_work.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "common/bounds.h"

#ifdef __linux__
#include <dlfcn.h>
#endif

namespace sparring {
namespace {

// GCC's OpenMP: runs the function on a team of threads, the caller among them.
using OpenMp = void (*)(void (*function)(void*), void* data, unsigned threads, unsigned flags);

OpenMp find_openmp() {
#ifdef __linux__
  if (void* library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD))
    return reinterpret_cast<OpenMp>(dlsym(library, "GOMP_parallel"));
#endif
  return nullptr;
}

struct PartQueue {
  const std::function<void(int)>& part;
  const int parts;
  std::atomic<int> next = 0;

  void work() {
    for (int i = next++; i < parts; i = next++) part(i);
  }
};

}  // namespace

void share_work(int parts, int threads, const std::function<void(int)>& part) {
  threads = std::min(checked("threads", threads, 1, kMostThreads), parts);
  PartQueue queue{part, parts};
  if (threads <= 1) return queue.work();
  static const OpenMp openmp = find_openmp();
  if (openmp)
    return openmp([](void* data) { static_cast<PartQueue*>(data)->work(); }, &queue,
                  static_cast<unsigned>(threads), 0);
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back([&queue] { queue.work(); });
  queue.work();
  for (auto& other : others) other.join();
}

}  // namespace sparring
