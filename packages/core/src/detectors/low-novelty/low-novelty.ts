import type { Sighting } from '../../detector.js';
import { requireNumber } from '../../options.js';
import {
  advanceMeter,
  endMeteredMessage,
  isCircling,
  loadNoveltyMeter,
  type NoveltyMeter,
  saveNoveltyMeter,
  startNoveltyMeter,
} from '../../text/novelty-meter.js';
import { speaker, type TextMachine, textDetector } from '../../text/text-detector.js';
import type { Channel, Words } from '../../text/words.js';

export interface LowNoveltyOptions {
  /** How much must go in circles, relative to the default: 2 waits twice as long, 0.5 half as long. */
  readonly patience?: number;
}

/** How much of a message went in circles. Counts are of characters; `at` is where in the message it was seen. */
export type LowNoveltyEvidence = {
  readonly channel: Channel;
  /** From the first character that said nothing new. */
  readonly characters: number;
  /** How many of these were said three times before, minus those that were new. */
  readonly stale: number;
  readonly at: number;
};

/** A text that goes in circles for this many letters, plus this share of the text before, is a loop. */
const least = 220;
const share = 0.03;
/** A refrain or a recurring clause ends before this many characters. */
const refrain = 600;
/** This part of both is enough for a suspicion. */
const suspicion = 0.6;

/**
 * Sees visible text and reasoning that go on without saying anything new: sentences and paragraphs that come back
 * reworded, in another order, or with a period too long for a chant.
 */
export function lowNovelty({ patience = 1 }: LowNoveltyOptions = {}) {
  requireNumber('lowNovelty: patience', patience, 0.1, 100);

  function look(meter: NoveltyMeter, { channel }: Words): Sighting<LowNoveltyEvidence> | undefined {
    const bar = Math.round((least + meter.from * share) * 10 * patience);
    const { score } = meter;
    const characters = meter.offset - meter.from;
    const progress = Math.min(score / bar, characters / (refrain * patience));
    const looping = progress >= 1;
    meter.next = looping ? score * 2 : Math.max(Math.ceil(bar * suspicion), score + 100);
    if (progress < suspicion || (!looping && meter.told === 1)) return undefined;
    meter.told = 1;
    return {
      kind: channel === 'text' ? 'chanting' : 'circling',
      status: looping ? 'looping' : 'suspect',
      onset: meter.since,
      position: meter.offset,
      confidence: looping ? 0.7 : 0.5,
      evidence: { channel, characters, stale: Math.round(score / 10), at: meter.offset },
    };
  }

  return textDetector({
    name: 'low-novelty',
    options: () => ({ patience }),
    machine,
    quiet: Math.floor(refrain * suspicion * patience) - 1,
    look,
    explain: ({ channel, characters, stale }: LowNoveltyEvidence) =>
      `${speaker(channel)} has gone on for ${characters} characters with hardly anything new: ${stale} of them at least were said three times before.`,
  });
}

const machine: TextMachine<NoveltyMeter> = {
  start: startNoveltyMeter,
  advance: advanceMeter,
  isUrgent: isCircling,
  endMessage: endMeteredMessage,
  save: saveNoveltyMeter,
  load: loadNoveltyMeter,
};
