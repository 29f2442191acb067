// Plays the part of Sabaki with Sabaki's own client: what its modules enginesyncer, sabaki and
// analysis do with @sabaki/gtp, without a window. Reads a request as JSON from the command line,
// writes what happened as one JSON object to stdout.
//
//   node sabaki.js '{"scenario": "converse" | "play", "engine": {"path", "args", "env"}, ...}'

const {ControllerStateTracker, Controller} = require('@sabaki/gtp')
const {dirname} = require('path')

const ANALYZE = ['analyze', 'kata-analyze', 'lz-analyze']
const GENMOVE_ANALYZE = ['genmove_analyze', 'kata-genmove_analyze', 'lz-genmove_analyze']
const VARIATION = /(pass|[A-Za-z]\d+)(\s+(pass|[A-Za-z]\d+))*$/
const QUIT_TIMEOUT = 3000

// The candidates Sabaki shows for a line of analysis: those that its parser does not drop.
function candidates(line, commandName) {
  if (!line.startsWith('info ')) return []
  return line
    .split(/\s*info\s+/)
    .slice(1)
    .map(part => part.trim())
    .filter(part => VARIATION.test(part))
    .map(part => {
      const variation = part.match(VARIATION)[0].split(/\s+/)
      const words = part.slice(0, part.search(VARIATION)).trim().split(/\s+/).slice(0, -1)
      const values = {}
      for (let i = 0; i + 1 < words.length; i += 2) values[words[i]] = words[i + 1]
      return {values, variation}
    })
    .filter(({values}) => /^[A-Za-z]\d+$/.test(values.move) && values.winrate != null)
    .map(({values, variation}) => ({
      move: values.move,
      visits: +values.visits,
      // In percent.
      winrate: +values.winrate * (commandName.startsWith('kata') ? 100 : 0.01),
      scoreLead: values.scoreLead == null ? null : +values.scoreLead,
      variation
    }))
}

class Engine {
  constructor({path, args, env, initialCommands = []}) {
    this.controller = new Controller(path, args, {
      cwd: dirname(path),
      env: {...process.env, ...env}
    })
    this.tracker = new ControllerStateTracker(this.controller)
    this.stderr = []
    this.initialCommands = initialCommands
    this.controller.on('stderr', ({content}) => this.stderr.push(content))
  }

  // All at once, without waiting, as Sabaki does at 'started'.
  async start() {
    this.controller.start()
    const names = ['name', 'version', 'protocol_version', 'list_commands']
    const commands = names.map(name => ({name})).concat(this.initialCommands)
    const responses = await Promise.all(commands.map(c => this.controller.sendCommand(c)))
    const failed = responses.findIndex(response => response.error)
    if (failed >= 0) throw new Error(`${commands[failed].name}: ${responses[failed].content}`)
    this.name = responses[0].content
    this.version = responses[1].content
    this.commands = responses[3].content.split('\n')
  }

  known(names) {
    return names.find(name => this.commands.includes(name))
  }

  // The move that the engine plays for `sign` (B, W), through an analyzing command if it has one.
  async genmove(sign) {
    const name = this.known(GENMOVE_ANALYZE)
    if (name == null) {
      const response = await this.tracker.queueCommand({name: 'genmove', args: [sign]})
      if (response.error) throw new Error(response.content)
      return {move: response.content.trim(), shown: 0}
    }
    let move = null
    let shown = 0
    await this.tracker.queueCommand({name, args: [sign, '50']}, ({line}) => {
      shown += candidates(line, name).length
      const match = line.trim().match(/^play\s+(.*)$/)
      if (match) move = match[1].trim()
    })
    return {move, shown}
  }

  // Analysis until `lines` updates came, then an interruption; both are awaited.
  async analyze(sign, lines) {
    const name = this.known(ANALYZE)
    const updates = []
    let enough
    const came = new Promise(resolve => (enough = resolve))
    const answered = this.controller.sendCommand({name, args: [sign, '5']}, ({line}) => {
      const found = candidates(line, name)
      if (found.length > 0 && updates.push(found) === lines) enough()
    })
    await Promise.race([came, answered])
    const busy = this.controller.busy
    const interrupted = await this.controller.sendCommand({name: 'protocol_version'})
    const response = await answered
    return {
      name,
      busy,
      updates: updates.length,
      last: updates[updates.length - 1],
      error: response.error,
      afterwards: interrupted.content
    }
  }

  async stop() {
    const began = Date.now()
    await this.controller.stop(QUIT_TIMEOUT)
    return Date.now() - began
  }
}

const play = (sign, vertex) => ({name: 'play', args: [sign, vertex]})

// Every way in which Sabaki brings an engine to a position, and what it does there.
async function converse({engine: options}) {
  const engine = new Engine(options)
  await engine.start()
  const {tracker} = engine
  const handicap = [{name: 'set_free_handicap', args: ['C3', 'G7']}, play('W', 'E5')]
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: handicap})
  const analysis = await engine.analyze('B', 3)
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: handicap})
  const {move, shown} = await engine.genmove('B')
  const history = tracker.state.history.map(({args}) => args)
  // Back by undo, then to another line of play.
  const line = [...handicap, play('B', 'C5'), play('W', 'G5'), play('B', 'E7')]
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: line})
  await tracker.sync({komi: 0, boardsize: [9, 9], history: line.slice(0, 4)})
  const score = await tracker.queueCommand({name: 'final_score'})
  // A setup position, stone by stone and a color several times in turn; then a rectangle.
  const stones = ['D4', 'D5', 'D6', 'C7'].map(vertex => play('B', vertex))
  await tracker.sync({komi: -3, boardsize: [13, 13], history: [...stones, play('W', 'pass')]})
  await tracker.sync({komi: 7, boardsize: [9, 13], history: [play('B', 'C11')]})
  const board = await tracker.queueCommand({name: 'showboard'})
  return {
    name: engine.name,
    version: engine.version,
    commands: engine.commands,
    analysis,
    move,
    shown,
    history,
    score: score.content,
    board: board.content,
    stopped: await engine.stop(),
    stderr: engine.stderr
  }
}

// A whole game: before each move the engine whose turn it is is synced to the game so far.
async function playGame({engine: first, opponent, size, komi}) {
  const engines = [new Engine(first), new Engine(opponent)]
  await Promise.all(engines.map(engine => engine.start()))
  const history = []
  const moves = []
  let shown = 0
  while (moves.slice(-2).join() !== 'pass,pass' && moves.length < 3 * size * size) {
    const index = moves.length % 2
    const engine = engines[index]
    const sign = 'BW'[index]
    await engine.tracker.sync({komi, boardsize: [size, size], history})
    const answer = await engine.genmove(sign)
    if (index === 0) shown += answer.shown
    moves.push(answer.move.toLowerCase())
    if (answer.move.toLowerCase() === 'resign') break
    history.push(play(sign, answer.move))
  }
  const scores = []
  const dead = []
  for (const engine of engines) {
    await engine.tracker.sync({komi, boardsize: [size, size], history})
    scores.push((await engine.tracker.queueCommand({name: 'final_score'})).content)
    const statuses = {name: 'final_status_list', args: ['dead']}
    const {content} = await engine.tracker.queueCommand(statuses)
    dead.push(content.split(/\s+/).filter(Boolean).sort())
  }
  const stopped = await Promise.all(engines.map(engine => engine.stop()))
  return {moves, shown, scores, dead, stopped}
}

const SCENARIOS = {converse, play: playGame}
const request = JSON.parse(process.argv[2])
SCENARIOS[request.scenario](request).then(
  result => process.stdout.write(JSON.stringify(result) + '\n'),
  error => {
    process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  }
)
