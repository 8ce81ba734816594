import type { Sighting } from './detector.js';
import { checked, nonNegative } from './shape.js';

/**
 * One loop of a lane, whichever detector saw it first. This is the only rule that groups sightings into loops: a
 * sighting belongs to the latest episode that was seen at its onset or later, text to text and calls to calls. All
 * other code groups findings by `Finding.episode`.
 */
export interface Episode {
  /** Names it within its session. */
  id: string;
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

/** The place of a sighting in its episode. */
export interface Place {
  readonly episode: string;
  /** How many times the episode was seen before at this status. */
  readonly again: number;
}

/** Files a sighting under its episode. `newId` names an episode that begins with it. */
export function episodeOf(
  episodes: Episode[],
  { onset, status, tools = [], calls = [] }: Sighting,
  seq: number,
  newId: () => string,
): Place {
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
      return { episode: episode.id, again: 0 };
    }
    return { episode: episode.id, again: ++episode.again };
  }
  const id = newId();
  episodes.push({
    id,
    onset,
    last: seq,
    looping,
    again: 0,
    tools: tools.slice(0, maxMembers),
    calls: calls.slice(0, maxMembers),
  });
  if (episodes.length > maxEpisodes) episodes.shift();
  return { episode: id, again: 0 };
}

/** Whether a call belongs to a loop that was seen, with nothing changed since. */
export function isRepeat(episodes: readonly Episode[], call: number): boolean {
  return episodes.some((episode) => episode.looping && episode.calls.includes(call));
}

/** A call has changed something: the calls of loops that it is not part of may have other results from now on. */
export function endRepeats(episodes: readonly Episode[], call: number): void {
  for (const episode of episodes) if (!episode.calls.includes(call)) episode.calls = [];
}

const episodeLike = { id: '', onset: 0, last: 0, looping: false, again: nonNegative, tools: [''], calls: [0] };

/** Episodes read back from a snapshot, whose objects are reused. Throws when they are not valid. */
export function loadEpisodes(saved: unknown): Episode[] {
  const episodes = (checked([episodeLike], saved, 'episodes') as unknown as Episode[]).slice(-maxEpisodes);
  for (const episode of episodes) {
    episode.tools = episode.tools.slice(0, maxMembers);
    episode.calls = episode.calls.slice(0, maxMembers);
  }
  return episodes;
}

/** Sightings without tools are about text. */
function related(a: readonly string[], b: readonly string[]): boolean {
  return (a.length === 0) === (b.length === 0);
}
