#include <cstring>

#include "kernels.h"
#include "othello_exact.h"

namespace sparring {

const Kernels& kernels(const char* name) {
#ifdef SPARRING_X86_KERNELS
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd");
  const bool bf16 = avx512 && __builtin_cpu_supports("avx512bf16");
  const auto wanted = [&](const Kernels& set) {
    return name[0] == '\0' || std::strcmp(name, set.name) == 0;
  };
  if (bf16 && wanted(kAvx512Bf16Kernels)) return kAvx512Bf16Kernels;
  if (avx512 && wanted(kAvx512Kernels)) return kAvx512Kernels;
  if (avx2 && wanted(kAvx2Kernels)) return kAvx2Kernels;
#else
  static_cast<void>(name);
#endif
  return kBaseKernels;
}

const OthelloExact& othello_exact(const char* name) {
#ifdef SPARRING_X86_KERNELS
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2");
  if (avx2 && std::strcmp(name, kBaseOthelloExact.name) != 0) return kAvx2OthelloExact;
#else
  static_cast<void>(name);
#endif
  return kBaseOthelloExact;
}

}  // namespace sparring
