#include <cstring>

#include "kernels.h"
#include "othello_exact.h"
#include "training.h"

#ifdef SPARRING_X86_KERNELS
#include <cpuid.h>
#endif

namespace sparring {
namespace {

#ifdef SPARRING_X86_KERNELS
// Whether the processor multiplies whole tiles of bfloat16, as torch's convolutions then do.
bool has_amx() {
  constexpr unsigned kFeatures = 7, kAmxBrain = 1u << 22;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(kFeatures, 0, &a, &b, &c, &d) && (d & kAmxBrain);
}
#endif

}  // namespace

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

const TrainingKernels* training_kernels() {
#ifdef SPARRING_X86_KERNELS
  if (&kernels() == &kAvx512Bf16Kernels && !has_amx()) return &kAvx512Bf16TrainingKernels;
#endif
  return nullptr;
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
