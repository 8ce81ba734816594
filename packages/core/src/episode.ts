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
    episode.calls = calls.slice(0, 16);
    for (const tool of tools) if (episode.tools.length < 16 && !episode.tools.includes(tool)) episode.tools.push(tool);
    if (looping && !episode.looping) {
      episode.looping = true;
      episode.again = 0;
      return 0;
    }
    return ++episode.again;
  }
  episodes.push({ onset, last: seq, looping, again: 0, tools: tools.slice(0, 16), calls: calls.slice(0, 16) });
  if (episodes.length > maxEpisodes) episodes.shift();
  return 0;
}

/** Sightings without tools are about text. */
function related(a: readonly string[], b: readonly string[]): boolean {
  return (a.length === 0) === (b.length === 0);
}
