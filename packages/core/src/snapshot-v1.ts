import type { Episode } from './episode.js';

/**
 * Snapshots of version 1 had no ids of episodes, kept the decision of an open circuit beside it and the findings only in
 * the circuit. These functions give them the shape of version 2 and leave anything else as it is; whether the result can
 * be used is checked where it is read.
 */
export function upgradedWatch<Snapshot>(saved: Snapshot): Snapshot {
  if (!isRecord(saved) || saved.version !== 1 || !Array.isArray(saved.lanes)) return saved;
  let episodes = 0;
  const lanes = saved.lanes.map((lane: unknown) =>
    isRecord(lane) && Array.isArray(lane.episodes)
      ? {
          ...lane,
          episodes: lane.episodes.map((one: unknown) => (isRecord(one) ? { ...one, id: `${++episodes}` } : one)),
        }
      : lane,
  );
  return { ...saved, version: 2, episodes, lanes } as Snapshot;
}

/** The same of a guard's snapshot, apart from its watch. */
export function upgradedGuard<Snapshot>(saved: Snapshot): Snapshot {
  if (!isRecord(saved) || saved.version !== 1) return saved;
  const { decision, ...rest } = saved;
  const { because, ...circuit } = isRecord(saved.circuit) ? saved.circuit : {};
  const findings = named(because, saved.watch);
  const known = circuit.state === 'open' ? { decision: { ...Object(decision), findings } } : { because: findings };
  return { ...rest, version: 2, circuit: { ...circuit, ...(circuit.state === 'closed' ? {} : known) } } as Snapshot;
}

/** Findings with the ids that `upgradedWatch` gives to their episodes; 0 for an episode that was forgotten. */
function named(findings: unknown, watch: unknown): unknown {
  if (!Array.isArray(findings)) return findings;
  const { lanes } = Object(upgradedWatch(watch)) as { lanes?: { lane?: unknown; episodes?: Episode[] }[] };
  return findings.map((finding: unknown) => {
    if (!isRecord(finding)) return finding;
    const { lane = '', onset, tools } = finding as { lane?: string; onset?: number; tools?: unknown[] };
    const episodes = Array.isArray(lanes) ? lanes.find((one) => one?.lane === lane)?.episodes : undefined;
    const its = (Array.isArray(episodes) ? episodes : []).findLast(
      (one) => Number(onset) <= one?.last && (one?.tools?.length === 0) === (tools?.length === 0),
    );
    return { ...finding, episode: its?.id ?? '0' };
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
