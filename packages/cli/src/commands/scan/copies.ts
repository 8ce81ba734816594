import { beginAlike, isUnique } from '../../recorded/content-print.js';
import type { LoopReport, SessionReport } from '../../recorded/session-report.js';

/** What to do with a session, given those that were reported before. */
export type Judgement =
  /** It counts, with these loops. `instead` was counted before and no longer is: it was the beginning of this one. */
  | { readonly type: 'counts'; readonly report: SessionReport; readonly instead?: SessionReport }
  /** The whole session was reported from another file. */
  | { readonly type: 'copy'; readonly of: string };

/**
 * Keeps sessions and copies of them apart, so that nothing is counted twice: the same log in two places, of which the longer
 * counts, and sessions that were resumed or forked from another, whose logs begin with the lines of that other.
 *
 * A randomly generated id identifies one session. Any other id, such as one made from a file's name, may belong to several
 * sessions: then the content decides whether two are the same.
 */
export function createCopies(): (report: SessionReport) => Judgement {
  const counted = new Map<string, SessionReport[]>();
  /** The loops of all sessions, and the session that reported each. */
  const reporters = new Map<string, string>();

  /**
   * Without the loops that another session has reported: at the same events of the same beginning, or at the same call. A
   * session that was forked after a summary begins with that, and not as the other did.
   */
  function withoutReported(report: SessionReport): SessionReport {
    const { id, agent, root } = report.session;
    const own = report.loops.filter((loop) => {
      const names = namesOf(loop, root).map((name) => `${agent} ${name}`);
      const reporter = names.map((name) => reporters.get(name)).find((one) => one !== undefined) ?? id;
      for (const name of names) if (!reporters.has(name)) reporters.set(name, reporter);
      return reporter === id;
    });
    return own.length === report.loops.length ? report : { ...report, loops: own };
  }

  return (report) => {
    const { id, agent } = report.session;
    const key = JSON.stringify([agent, id]);
    const sameId = counted.get(key) ?? [];
    const before = sameId.find(
      (one) => isUnique(id) || (one.print && report.print && beginAlike(one.print, report.print)),
    );
    if (before !== undefined && before.events >= report.events) return { type: 'copy', of: before.session.file };
    const own = withoutReported(report);
    counted.set(key, [...sameId.filter((one) => one !== before), own]);
    return { type: 'counts', report: own, ...(before === undefined ? {} : { instead: before }) };
  };
}

/** Names by which a loop is recognised in any session. */
function namesOf({ call, finding: { detector, status, lane, onset, seq } }: LoopReport, root?: string): string[] {
  const names = root === undefined ? [] : [JSON.stringify([root, detector, status, lane ?? '', onset, seq])];
  if (call !== undefined && isUnique(call)) names.push(JSON.stringify([call, detector, status]));
  return names;
}
