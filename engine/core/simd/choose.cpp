#include <cstring>

#include "kernels.h"

namespace sparring {

const Kernels& kernels(const char* most) {
#ifdef SPARRING_X86_KERNELS
  const bool base = std::strcmp(most, kBaseKernels.name) == 0;
  const bool avx2 = std::strcmp(most, kAvx2Kernels.name) == 0;
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
  if (has_avx512 && !base && !avx2) return kAvx512Kernels;
  if (has_avx2 && !base) return kAvx2Kernels;
#else
  static_cast<void>(most);
#endif
  return kBaseKernels;
}

}  // namespace sparring
