/**
 * The law of linear time: shows texts of 20 kB and of 160 kB, made of every kind of unit, in every place an event has
 * text, to every detector, to the reader of steps, and to the guard with the default preset. Prints the worst ratios, and
 * fails where one is over `most` times what linear growth allows (quadratic growth would be eight times). Give names of subjects to measure only those;
 * `--json` prints every cell.
 */
import { linearPlaces, linearUnits, measureLinear, reaches } from '@loopfuse/testkit/linear-time';
import { createGuard, createWatch, defineDetector } from 'loopfuse';
import * as exported from 'loopfuse/detectors';
import { balanced } from 'loopfuse/presets';

const most = 4;
const shown = 12;

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const json = process.argv.includes('--json');
const all = [guardSubject(), readerSubject(), ...Object.values(exported).flatMap(detectorSubject)];
const unknown = names.filter((name) => !all.some((subject) => subject.name === name));
if (unknown.length > 0)
  throw new Error(`no subject is called ${unknown.join(' or ')}; there are ${all.map(({ name }) => name).join(', ')}`);
const subjects = all.filter(({ name }) => names.length === 0 || names.includes(name));
const units = [...Object.keys(linearUnits), 'a mix'];

for (const subject of subjects) warmUp(subject);
const cells = subjects.flatMap((subject) =>
  Object.keys(linearPlaces)
    .filter((place) => reaches(subject, place))
    .flatMap((place) => units.map((unit) => measureLinear(subject, place, unit, { most }))),
);
cells.sort((a, b) => b.timesLinear - a.timesLinear);
const slow = cells.filter(({ timesLinear }) => timesLinear > most);

if (json) console.log(JSON.stringify(cells));
else {
  console.log(`${cells.length} cells: ${subjects.length} subjects, ${units.length} units, the worst of them:\n`);
  console.log('× linear   20 kB, ms  160 kB, ms  subject, place, unit');
  for (const { subject, place, unit, short, long, timesLinear } of cells.slice(0, Math.max(shown, slow.length)))
    console.log(
      `${timesLinear.toFixed(2).padStart(8)} ${short.toFixed(3).padStart(11)} ${long.toFixed(3).padStart(11)}  ${subject}, ${place}, ${unit}`,
    );
  console.log(
    slow.length === 0
      ? `\nAll are linear: none takes more than ${most} times as long as linear growth allows.`
      : `\n${slow.length} take more than ${most} times as long as linear growth allows.`,
  );
}
if (slow.length > 0) process.exitCode = 1;

function guardSubject() {
  const detectors = balanced();
  return { name: 'balanced', start: () => observing(createGuard({ detectors })) };
}

/** Reads the steps and does nothing with them: what is left is the reading of calls and results. */
function readerSubject() {
  const reader = defineDetector({
    name: 'steps',
    reads: ['step'],
    start: () => ({}),
    observe: () => undefined,
    explain: () => 'It sees nothing.',
  });
  return watching('steps', [reader]);
}

/** A detector with its defaults, where an export of the core makes one. */
function detectorSubject(make) {
  if (typeof make !== 'function') return [];
  let detector;
  try {
    detector = make();
  } catch {
    return [];
  }
  return Array.isArray(detector?.reads) ? [watching(detector.name, [detector])] : [];
}

function watching(name, detectors) {
  const reads = new Set(detectors.flatMap((detector) => detector.reads));
  if (reads.has('step')) for (const type of ['tool-call', 'tool-result']) reads.add(type);
  if (reads.has('words')) for (const type of ['text', 'reasoning']) reads.add(type);
  return { name, reads, start: () => observing(createWatch({ detectors })) };
}

function observing({ observe }) {
  return observe;
}

/** Code runs slowly until the engine has compiled it, and would make the shorter text look slow. */
function warmUp(subject) {
  for (const place of Object.keys(linearPlaces).filter((one) => reaches(subject, one)))
    for (const unit of ['words', 'a mix', 'error lines'])
      measureLinear(subject, place, unit, { rounds: 1, retries: 0 });
}
