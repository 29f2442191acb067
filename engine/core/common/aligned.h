// Arrays that begin on a line of the cache. A vector that crosses a line costs two accesses, and a
// load of a processor's tile sixteen.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace sparring {

constexpr std::size_t kCacheLine = 64;  // bytes

template <typename T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() = default;
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U>&) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{kCacheLine}));
  }
  void deallocate(T* array, std::size_t) { ::operator delete(array, std::align_val_t{kCacheLine}); }
  template <typename U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace sparring
