// The sets of vector instructions of this process.
//
// The environment variable SPARRING_KERNELS names the last set to use. A test or a user can thus
// try this program without the later sets. It is read once.
#pragma once

#include <string>
#include <vector>

namespace sparring {

// Names of the processor's sets, the slower first. Throws std::invalid_argument if SPARRING_KERNELS
// names a set that the processor lacks.
std::vector<std::string> instruction_sets();

// The set named by SPARRING_KERNELS; empty without one. Throws as above.
std::string forced_instructions();

}  // namespace sparring
