// The module engine._core: the core's Python interface. Each bind_*.cpp adds its part;
// no logic here.
#include <nanobind/nanobind.h>

#include "bindings/bind_agents.h"
#include "bindings/bind_balance.h"
#include "bindings/bind_connect4.h"
#include "bindings/bind_cpu_network.h"
#include "bindings/bind_darkchess.h"
#include "bindings/bind_darkchess_agents.h"
#include "bindings/bind_darkchess_games.h"
#include "bindings/bind_darkchess_solver.h"
#include "bindings/bind_einstein.h"
#include "bindings/bind_game_batch.h"
#include "bindings/bind_go.h"
#include "bindings/bind_othello.h"
#include "bindings/bind_othello_records.h"
#include "bindings/bind_othello_samples.h"
#include "bindings/bind_rollouts.h"
#include "bindings/bind_self_play.h"
#include "bindings/bind_solvers.h"
#include "bindings/bind_tabular.h"
#include "bindings/bind_training.h"
#include "bindings/bind_tree.h"
#include "bindings/bind_weak_rollouts.h"

NB_MODULE(_core, m) {
  // Rule sets in module-level tables live until the interpreter is gone: reported as a
  // leak, but none.
  nanobind::set_leak_warnings(false);
  m.doc() = "Rules, features and search of Sparring, in C++.";
  sparring::bind_go(m);
  sparring::bind_othello(m);
  sparring::bind_connect4(m);
  sparring::bind_darkchess(m);
  sparring::bind_darkchess_solver(m);
  sparring::bind_einstein(m);
  sparring::bind_tree(m);
  sparring::bind_balance(m);
  sparring::bind_othello_samples(m);
  sparring::bind_othello_records(m);
  sparring::bind_rollouts(m);
  sparring::bind_game_batch(m);
  sparring::bind_self_play(m);
  sparring::bind_solvers(m);
  sparring::bind_cpu_network(m);
  sparring::bind_agents(m);
  sparring::bind_darkchess_agents(m);
  sparring::bind_darkchess_games(m);
  sparring::bind_weak_rollouts(m);
  sparring::bind_training(m);
  sparring::bind_tabular(m);
}
