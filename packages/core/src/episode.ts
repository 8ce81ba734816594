import type { Sighting } from './detector.js';

/** One loop of a lane, whoever saw it first: later sightings that overlap it belong to it, text to text and calls to calls. */
export interface Episode {
  onset: number;
  /** Index of the event at which it was last seen. */
  last: number;
  looping: boolean;
  again: number;
  tools: string[];
  /** Fingerprints of the calls that take part; emptied when something changes. */
  calls: number[];
}

const maxEpisodes = 16;
/** Most tools and most calls that an episode remembers. */
const maxMembers = 16;

/** Files a sighting under its episode and says how often that episode was seen before at this status. */
export function episodeOf(
  episodes: Episode[],
  { onset, status, tools = [], calls = [] }: Sighting,
  seq: number,
): number {
  const looping = status === 'looping';
  for (let k = episodes.length - 1; k >= 0; k--) {
    const episode = episodes[k]!;
    if (onset > episode.last || !related(episode.tools, tools)) continue;
    episode.last = seq;
    episode.calls = calls.slice(0, maxMembers);
    for (const tool of tools)
      if (episode.tools.length < maxMembers && !episode.tools.includes(tool)) episode.tools.push(tool);
    if (looping && !episode.looping) {
      episode.looping = true;
      episode.again = 0;
      return 0;
    }
    return ++episode.again;
  }
  episodes.push({
    onset,
    last: seq,
    looping,
    again: 0,
    tools: tools.slice(0, maxMembers),
    calls: calls.slice(0, maxMembers),
  });
  if (episodes.length > maxEpisodes) episodes.shift();
  return 0;
}

/** Episodes read back from a snapshot. Throws where they are none. */
export function loadEpisodes(saved: unknown): Episode[] {
  if (!Array.isArray(saved) || saved.length > maxEpisodes || !saved.every(isEpisode))
    throw new TypeError('they are not a list of episodes');
  return saved.map(({ onset, last, looping, again, tools, calls }: Episode) => ({
    onset,
    last,
    looping,
    again,
    tools: tools.slice(),
    calls: calls.slice(),
  }));
}

function isEpisode(value: unknown): boolean {
  const { onset, last, looping, again, tools, calls } = (value ?? {}) as Partial<Episode>;
  return (
    [onset, last, again].every(Number.isSafeInteger) &&
    typeof looping === 'boolean' &&
    isShortList(tools, (tool) => typeof tool === 'string') &&
    isShortList(calls, Number.isFinite)
  );
}

function isShortList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= maxMembers && value.every(isItem);
}

/** Sightings without tools are about text. */
function related(a: readonly string[], b: readonly string[]): boolean {
  return (a.length === 0) === (b.length === 0);
}
