import type { Detector, Readable, ReadingOf, Sighting } from '../detector.js';
import { episodeOf } from '../episode.js';
import type { Finding } from '../finding.js';
import { wasteSince } from '../tally.js';
import type { Stop } from './routes.js';
import { type Lane, report, type Session } from './session.js';

type Seen = [Detector, Sighting];

/** Passes a reading to the detectors of its route, and returns `found` with what they see. */
export function show(
  session: Session,
  lane: Lane,
  route: readonly Stop[],
  reading: ReadingOf<Readable>,
  found: readonly Finding[],
): readonly Finding[] {
  const { states } = lane;
  const { seq } = session;
  let seen: Seen[] | undefined;
  for (let k = 0; k < route.length; k++) {
    const { detector, observe, index } = route[k]!;
    try {
      const sighted = observe.call(detector, states[index], reading, seq);
      if (sighted !== undefined) seen = withSightings(session, seen, detector, sighted);
    } catch (cause) {
      report(session, detector.name, 'the detector failed and starts afresh', cause);
      states[index] = detector.start();
    }
  }
  return seen === undefined ? found : withFindings(session, lane, found, seen);
}

function withSightings(
  { exemptions }: Session,
  seen: Seen[] = [],
  detector: Detector,
  sighted: Sighting | readonly Sighting[],
): Seen[] {
  for (const sighting of (Array.isArray(sighted) ? sighted : [sighted]) as readonly Sighting[])
    if (!exemptions.some((one) => 'kind' in one && one.kind === sighting.kind)) seen.push([detector, sighting]);
  return seen;
}

function withFindings(session: Session, lane: Lane, found: readonly Finding[], seen: Seen[]): readonly Finding[] {
  // In order of position: else, of two chants in one delta, the one seen first could be filed last.
  seen.sort(([, a], [, b]) => (a.position ?? 0) - (b.position ?? 0));
  return [...found, ...seen.map(([detector, sighting]) => findingOf(session, lane, detector, sighting))];
}

/** Files a sighting under its episode, and says what was spent since the loop began. */
function findingOf(session: Session, lane: Lane, detector: Detector, sighting: Sighting): Finding {
  const { kind, status, onset, confidence, evidence, tools = [], calls = [] } = sighting;
  const { episode, again } = episodeOf(lane.episodes, sighting, session.seq, () => `${++session.begun}`);
  const finding: Finding = {
    detector: detector.name,
    kind,
    status,
    episode,
    seq: session.seq,
    onset,
    again,
    confidence,
    evidence,
    tools,
    calls,
    waste: wasteSince(lane.tally, onset),
  };
  return lane.name === '' ? finding : { ...finding, lane: lane.name };
}
