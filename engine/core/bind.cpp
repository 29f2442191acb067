// The module engine._core: what Python sees of the core. Each bind_*.cpp adds its part; no logic
// here.
#include <nanobind/nanobind.h>

#include "bind_agents.h"
#include "bind_balance.h"
#include "bind_connect4.h"
#include "bind_cpu_network.h"
#include "bind_glance.h"
#include "bind_go.h"
#include "bind_othello.h"
#include "bind_othello_lessons.h"
#include "bind_othello_records.h"
#include "bind_playouts.h"
#include "bind_pool.h"
#include "bind_self_play.h"
#include "bind_solvers.h"
#include "bind_training.h"
#include "bind_tree.h"

NB_MODULE(_core, m) {
  // Rule sets in module-level tables live until the interpreter is gone: no leak, but reported as
  // one.
  nanobind::set_leak_warnings(false);
  m.doc() = "Rules, features and search of Sparring, in C++.";
  sparring::bind_go(m);
  sparring::bind_othello(m);
  sparring::bind_connect4(m);
  sparring::bind_tree(m);
  sparring::bind_balance(m);
  sparring::bind_othello_lessons(m);
  sparring::bind_othello_records(m);
  sparring::bind_playouts(m);
  sparring::bind_pool(m);
  sparring::bind_self_play(m);
  sparring::bind_solvers(m);
  sparring::bind_cpu_network(m);
  sparring::bind_agents(m);
  sparring::bind_glance(m);
  sparring::bind_training(m);
}
