#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "simd/kernels.h"
#include "simd/othello_exact.h"
#include "simd/processor.h"
#include "simd/training.h"

#ifdef SPARRING_X86_KERNELS
#include <cpuid.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

namespace sparring {
namespace {

constexpr const char* kVariable = "SPARRING_KERNELS";

struct InstructionSet {
  const char* name;
  bool (*present)();  // whether the processor has it
  const Kernels* kernels;
  const OthelloExact* othello;
};

bool always() { return true; }

#ifdef SPARRING_X86_KERNELS
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512cd");
}

bool has_avx512_vnni() { return has_avx512() && __builtin_cpu_supports("avx512vnni"); }

bool has_avx512_bf16() { return has_avx512_vnni() && __builtin_cpu_supports("avx512bf16"); }

// The compilers' own test of it is too new to use.
bool has_avx2_vnni() {
  constexpr unsigned kFeatures = 7, kAvxVnni = 1u << 4;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return has_avx2() && __get_cpuid_count(kFeatures, 1, &a, &b, &c, &d) && (a & kAvxVnni);
}

// Tests whether the processor multiplies whole tiles of bfloat16, and asks the system for the right
// to it: Linux (5.16 and later) gives a process the tiles' memory only on request.
bool has_amx_bf16() {
  constexpr unsigned kFeatures = 7, kAmxBf16 = 1u << 22, kAmxTile = 1u << 24;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!has_avx512_bf16() || !__get_cpuid_count(kFeatures, 0, &a, &b, &c, &d) || !(d & kAmxBf16) ||
      !(d & kAmxTile))
    return false;
#ifdef __linux__
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // arch/x86/include/uapi/asm/prctl.h
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}
#endif

// The slower first.
constexpr InstructionSet kSets[] = {
    {"base", always, &kBaseKernels, &kBaseOthelloExact},
#ifdef SPARRING_X86_KERNELS
    {"avx2", has_avx2, &kAvx2Kernels, &kAvx2OthelloExact},
    {"avx2-vnni", has_avx2_vnni, &kAvx2VnniKernels, &kAvx2OthelloExact},
    {"avx512", has_avx512, &kAvx512Kernels, &kAvx2OthelloExact},
    {"avx512-vnni", has_avx512_vnni, &kAvx512VnniKernels, &kAvx2OthelloExact},
    {"avx512-bf16", has_avx512_bf16, &kAvx512Bf16Kernels, &kAvx2OthelloExact},
    {"amx-bf16", has_amx_bf16, &kAmxBf16Kernels, &kAvx2OthelloExact},
#endif
};

std::string listed(const std::vector<const InstructionSet*>& sets) {
  std::string names;
  for (const auto* set : sets) names += (names.empty() ? "" : ", ") + std::string(set->name);
  return names;
}

struct Processor {
  std::vector<const InstructionSet*> sets;
  bool forced = false;

  Processor() {
#ifdef SPARRING_X86_KERNELS
    __builtin_cpu_init();
#endif
    for (const auto& set : kSets)
      if (set.present()) sets.push_back(&set);
    const char* wanted = std::getenv(kVariable);
    forced = wanted && *wanted;
    if (!forced) return;
    const auto last = std::find_if(sets.begin(), sets.end(), [&](const InstructionSet* set) {
      return std::strcmp(set->name, wanted) == 0;
    });
    if (last == sets.end())
      throw std::invalid_argument(std::string(kVariable) + " is '" + wanted +
                                  "'; this processor has " + listed(sets));
    sets.erase(last + 1, sets.end());
  }
};

const Processor& processor() {
  static const Processor here;
  return here;
}

// The best table, or the named one. Throws std::invalid_argument if there is none.
template <typename Table>
const Table& choose(const Table* InstructionSet::* table, const char* name) {
  for (std::size_t i = processor().sets.size(); i-- > 0;) {
    const Table& found = *(processor().sets[i]->*table);
    if (name[0] == '\0' || std::strcmp(name, found.name) == 0) return found;
  }
  throw std::invalid_argument(std::string("instructions '") + name +
                              "' are not to be had here: there are " + listed(processor().sets));
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const auto* set : processor().sets) names.emplace_back(set->name);
  return names;
}

std::string forced_instructions() {
  return processor().forced ? processor().sets.back()->name : "";
}

const Kernels& kernels(const char* name) { return choose(&InstructionSet::kernels, name); }

const OthelloExact& othello_exact(const char* name) {
  return choose(&InstructionSet::othello, name);
}

const TrainingKernels* training_kernels() {
#ifdef SPARRING_X86_KERNELS
  // Where the processor has tiles, torch's own convolutions are faster.
  if (&kernels() == &kAvx512Bf16Kernels) return &kAvx512Bf16TrainingKernels;
#endif
  return nullptr;
}

}  // namespace sparring
