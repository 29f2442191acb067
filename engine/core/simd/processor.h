// The sets of vector instructions that this process uses.
//
// The environment variable SPARRING_KERNELS names the last set to use, so that a test or a user can
// see how this program behaves on a processor without the others. It is read once.
#pragma once

#include <string>
#include <vector>

namespace sparring {

// Names, each of a set that holds those before it; the last one is the fastest. Throws
// std::invalid_argument where SPARRING_KERNELS names a set that the processor lacks.
std::vector<std::string> instruction_sets();

// The set that SPARRING_KERNELS names; empty where it names none. Throws as above.
std::string forced_instructions();

}  // namespace sparring
