import { createContext, Script } from 'node:vm';

/**
 * Whether an attack that was found by trying, not by proof, does take more than linear time here: eight times the text
 * takes eight times as long if it is linear, and sixty-four times as long if it is quadratic.
 */
export function isSlowOn(regex, attack) {
  for (let trial = 0; trial < trials; trial++) if (!seemsSlow(regex, attack)) return false;
  return true;
}

function seemsSlow({ source, flags }, attack) {
  const times = lengths.map((length) => timeOf(source, flags, textOf(attack, length)));
  return times.includes(undefined) || times[1] / Math.max(times[0], shortest) > most;
}

/** Something else may make one measurement slow, but not all of them. */
const trials = 3;
const lengths = [20_000, 160_000];
/** Between eight and sixty-four, nearer to neither. */
const most = 24;
const rounds = 5;
/** In milliseconds; shorter times are the clock's and not the expression's. */
const shortest = 0.05;
const patience = 2000;

function textOf({ pumps, suffix }, length) {
  const fixed = pumps.reduce((sum, { prefix }) => sum + prefix.length, suffix.length);
  const moving = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
  const times = Math.ceil(Math.max(0, length - fixed) / Math.max(1, moving));
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join('') + suffix;
}

const script = new Script(`
  const expression = new RegExp(source, flags);
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const before = now();
    text.replace(expression, '');
    least = Math.min(least, now() - before);
  }
  least;
`);

/** In milliseconds: how long a busy machine lets the process wait does not count. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The shortest of some rounds, or nothing where they take too long. */
function timeOf(source, flags, text) {
  try {
    const context = createContext({ source, flags, text, rounds, now: processorTime });
    return script.runInContext(context, { timeout: patience });
  } catch (cause) {
    if (cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw cause;
  }
}
