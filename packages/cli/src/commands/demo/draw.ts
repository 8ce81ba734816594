import { assertNever, loopKinds } from 'loopfuse';
import { counted, grouped, short } from 'loopfuse/words';
import type { Terminal } from '../../terminal/terminal.js';
import { fit, pad, widthOf, wrap } from '../../terminal/width.js';
import type { Result, Scene, Spent, Used } from './scene.js';

const margin = 9;
/** Columns for the name of a tool. */
const toolRoom = 7;

/** The lines of a scene. */
export function draw(scene: Scene, out: Terminal): string[] {
  const { paint, glyphs } = out;
  const room = out.columns - margin;
  switch (scene.type) {
    case 'opens':
      return ['', paint(scene.title, 'bold')];
    case 'asks':
      return [`${paint('    you  ', 'bold')}${fit(out.say(scene.text), room, glyphs.more)}`];
    case 'says':
      return [`${paint('  agent  ', 'cyan')}${paint(fit(out.say(scene.text), room, glyphs.more), 'dim')}`];
    case 'acts':
      return [drawCall(scene.tool, scene.about, scene.result, out)];
    case 'trips':
      return drawTrip(scene, out);
    case 'ends':
      return drawEnd(scene.played, scene.left, out);
    case 'saves':
      return drawSaving(scene.guarded, scene.alone, out);
  }
}

function drawCall(tool: string, about: string, result: Result, out: Terminal): string {
  const { paint, glyphs } = out;
  const name = pad(fit(out.say(tool), toolRoom, glyphs.more), toolRoom);
  const place = Math.min(34, Math.floor((out.columns - margin) * 0.3));
  const target = pad(fit(out.say(about), place, glyphs.more), place);
  const head = `${' '.repeat(margin)}${paint(name, 'blue')} ${target} `;
  const room = out.columns - margin - toolRoom - 1 - place - 3;
  if (result.status === 'refused')
    return `${head}${paint(`${glyphs.trip} ${fit('refused by the guard', room, glyphs.more)}`, 'red')}`;
  const words = fit(out.say(result.output), room, glyphs.more);
  return result.status === 'ok'
    ? `${head}${paint(glyphs.good, 'green')} ${paint(words, 'dim')}`
    : `${head}${paint(glyphs.bad, 'red')} ${words}`;
}

function drawTrip({ finding, decision, from, to, brief = false }: Scene & { type: 'trips' }, out: Terminal): string[] {
  const { paint, glyphs } = out;
  const colour = to === 'open' ? 'red' : 'yellow';
  const edge = `  ${paint(glyphs.bar, colour)} `;
  const title = `${glyphs.trip} ${loopKinds[finding.kind].title}`;
  const states = from === to ? `circuit stays in ${to}` : `circuit ${from} ${glyphs.arrow} ${to}`;
  const space = out.columns - 4 - widthOf(title) - widthOf(states);
  const between = space >= 2 ? ' '.repeat(space) : `\n${edge}`;
  const lines = `${edge}${paint(title, 'bold', colour)}${between}${paint(states, colour)}`.split('\n');
  const [doing, words] = inWords(decision);
  const most = brief ? (decision.type === 'stop' ? 2 : 1) : 5;
  const text = wrap(out.say(`${doing} ${words}`.trim()), out.columns - 4, most, glyphs.more);
  lines.push(...text.map((line, k) => edge + (k === 0 ? line.replace(doing, paint(doing, 'bold')) : line)));
  return lines;
}

function inWords(decision: (Scene & { type: 'trips' })['decision']): [doing: string, words: string] {
  switch (decision.type) {
    case 'steer':
      return ['Steer. The model is told:', decision.message];
    case 'block':
      return ['Block.', 'The call is not run; the model gets the same advice as its result.'];
    case 'rewind':
      return ['Rewind.', 'The repeated rounds leave the context of the model; a note about them stays.'];
    case 'escalate':
      return ['Escalate.', 'A stronger model takes the next turn.'];
    case 'ask':
      return ['Ask.', decision.question.message];
    case 'stop':
      return ['Stop.', decision.reason];
    default:
      return assertNever(decision, 'the demo');
  }
}

function drawEnd(played: Spent, left: Spent, out: Terminal): string[] {
  const total = played.events + left.events;
  const sentences = [`Stopped at event ${grouped(played.events)} of ${grouped(total)}, after ${spentInWords(played)}.`];
  if (left.calls > 0)
    sentences.push(
      `Left alone, the recorded agent went on for ${spentInWords(left)}; ${grouped(left.same)} of the calls were this very one.`,
    );
  const lines = sentences.flatMap((sentence) => wrap(sentence, out.columns - 2).map((line) => `  ${line}`));
  lines[0] = lines[0]!.replace('Stopped', out.paint('Stopped', 'bold'));
  return ['', ...lines];
}

function drawSaving(guarded: Used, alone: Used, out: Terminal): string[] {
  const saved = Math.round((1 - guarded.tokens / alone.tokens) * 100);
  const words = (used: Used) => `${counted(used.calls, 'call')} and ${short(used.tokens)} tokens`;
  const text = `Stopped after ${words(guarded)}. Without the guard the same model went on to its turn limit: ${words(alone)}. That is ${saved} % saved.`;
  return [
    '',
    ...wrap(text, out.columns - 2).map((line) => `  ${line.replace('Stopped', out.paint('Stopped', 'bold'))}`),
  ];
}

function spentInWords({ calls, tokens, cost, milliseconds }: Spent): string {
  const parts = [counted(calls, 'call'), `${short(tokens)} tokens`, duration(milliseconds)];
  if (cost > 0) parts.push(`$${cost.toFixed(2)}`);
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 100 ? counted(seconds, 'second') : counted(Math.round(seconds / 60), 'minute');
}
