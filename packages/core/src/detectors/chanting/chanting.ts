import type { Sighting } from '../../detector.js';
import { requireNumber } from '../../options.js';
import {
  advance,
  endMessage,
  exactRepeat,
  isRepeating,
  lastText,
  loadPeriodFinder,
  type PeriodFinder,
  savePeriodFinder,
  startPeriodFinder,
  tell,
} from '../../text/period-finder.js';
import { type RepeatedUnit, repeatedUnit } from '../../text/repeated-unit.js';
import { speaker, type TextMachine, textDetector } from '../../text/text-detector.js';
import type { Channel, Words } from '../../text/words.js';
import { counted, grouped } from '../../words/numbers.js';
import { certainWhenDrifting, certainWhenExact, certainWhenNumbered, leastCertain } from './certainty.js';
import { isNumberedAgain } from './numbered.js';

export interface ChantingOptions {
  /** How much must repeat, relative to the default: 2 waits twice as long, 0.5 half as long. */
  readonly patience?: number;
}

/** What was chanted. Counts are of characters; `at` is where in the message it was seen. */
export type ChantingEvidence = {
  readonly channel: Channel;
  readonly unit: string;
  readonly period: number;
  readonly times: number;
  readonly characters: number;
  readonly at: number;
  /** Whether digits change from round to round. */
  readonly drifting: boolean;
};

const sampleLength = 200;
/** The longest period of a numbered list, in bytes: three such periods are still kept and can be read. */
const longestList = 2000;

/**
 * Sees visible text and reasoning that repeat themselves within one message: a character, a word, a line or thousands
 * of characters, exactly or with a running counter. It reports again each time the chant has doubled.
 */
export function chanting({ patience = 1 }: ChantingOptions = {}) {
  requireNumber('chanting: patience', patience, 0.1, 100);

  function look(finder: PeriodFinder, words: Words): Sighting<ChantingEvidence> | undefined {
    const all = finder.offset - finder.from;
    const { period, run } = exactRepeat(finder, words);
    const exactUnit = repeatedUnit(lastText(finder, words, period), sampleLength);
    const exact = Math.round((all * run) / finder.run);
    const exactMissing = certainWhenExact(exactUnit) * patience - exact;
    if (exactMissing <= 0) return sight(finder, words.channel, exactUnit, exact, false);
    const unit =
      period === finder.period ? exactUnit : repeatedUnit(lastText(finder, words, finder.period), sampleLength);
    const certain = isNumbered(finder, words, unit) ? certainWhenNumbered(unit) : certainWhenDrifting(unit);
    const missing = certain * patience - all;
    if (missing <= 0) return sight(finder, words.channel, unit, all, true);
    const entries = (Math.min(exactMissing, missing) * finder.run) / all;
    finder.next = finder.run + Math.max(4, finder.period >> 3, Math.floor(entries * 0.9));
    return undefined;
  }

  return textDetector({
    name: 'chanting',
    options: () => ({ patience }),
    machine,
    quiet: Math.floor(leastCertain * patience) - 1,
    look,
    explain({ channel, unit, period, times, characters, drifting }: ChantingEvidence) {
      const what = `${JSON.stringify(unit)}${period > unit.length ? '…' : ''}`;
      const how = drifting ? 'with nothing but its numbers changing' : 'word for word';
      return `${speaker(channel)} repeats ${what} (${counted(period, 'character')}) ${grouped(times)} times in a row ${how}, ${counted(characters, 'character')} after the first time.`;
    },
  });
}

const machine: TextMachine<PeriodFinder> = {
  start: startPeriodFinder,
  advance,
  isUrgent: isRepeating,
  endMessage,
  save: savePeriodFinder,
  load: loadPeriodFinder,
};

/** Whether lines repeat in which only their leading number changes. Other numbers that change may be information. */
function isNumbered(finder: PeriodFinder, words: Words, { newlines }: RepeatedUnit): boolean {
  const { period, run } = finder;
  if (newlines === 0 || period > longestList) return false;
  return isNumberedAgain(lastText(finder, words, Math.min(run + period, 3 * period)), newlines);
}

function sight(
  finder: PeriodFinder,
  channel: Channel,
  { sample, length }: RepeatedUnit,
  characters: number,
  drifting: boolean,
): Sighting<ChantingEvidence> {
  finder.next = finder.run * 2;
  const times = 1 + Math.floor(characters / length);
  return {
    kind: channel === 'text' ? 'chanting' : 'circling',
    status: 'looping',
    onset: tell(finder),
    position: finder.offset,
    confidence: drifting ? 0.9 : 0.97,
    evidence: { channel, unit: sample, period: length, times, characters, at: finder.offset, drifting },
  };
}
