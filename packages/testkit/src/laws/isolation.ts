import fc from 'fast-check';
import { type AgentEvent, createWatch } from 'loopfuse';
import { type LawOptions, lawSessions, type MakeDetectors, prove } from './law.js';
import { assertSame, essenceAt, observe, play } from './play.js';

/**
 * Two sessions watched at the same time with the same detectors, and two lanes of one session, give the same as each
 * alone, and nothing of one session is in the snapshot of another.
 */
export function checkIsolation(make: MakeDetectors, options: LawOptions = {}): void {
  const { tools = {} } = options;
  const turns = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });

  prove('isolation', fc.tuple(lawSessions(options), lawSessions(options), turns), options, ([left, right, order]) => {
    const played = [left, right].map((session) => play(make(), session, tools));
    const alone = played.map(({ findings }) => findings.flat().map((finding) => essenceAt(finding, (seq) => seq)));
    const mixed = interleave([left, right], order);

    const shared = make();
    const watches = [createWatch({ detectors: shared, tools }), createWatch({ detectors: shared, tools })];
    const together: ReturnType<typeof essenceAt>[][] = [[], []];
    for (const { side, event } of mixed)
      together[side]!.push(...observe(watches[side]!, event).map((finding) => essenceAt(finding, (seq) => seq)));
    assertSame(together, alone, 'isolation: two sessions watched at the same time touched each other');
    assertSame(
      watches.map((watch) => watch.snapshot()),
      played.map(({ watch }) => watch.snapshot()),
      'isolation: the snapshot of a session holds something of another',
    );

    const { findings } = play(
      make(),
      mixed.map(({ side, event }) => ({ ...event, lane: side === 0 ? 'left' : 'right' })),
      tools,
    );
    const apart = [0, 1].map((side) => {
      const ownIndex = placeWithin(mixed, side);
      return findings.flatMap((found, k) =>
        mixed[k]!.side === side ? found.map((finding) => essenceAt(finding, ownIndex)) : [],
      );
    });
    assertSame(apart, alone, 'isolation: two lanes of one session touched each other');
    return alone.flat().length;
  });
}

export interface Sided {
  readonly side: number;
  readonly event: AgentEvent;
}

/** Both sessions in one stream; `order`, used repeatedly, says which session's event is next. */
export function interleave(sides: readonly (readonly AgentEvent[])[], order: readonly boolean[]): readonly Sided[] {
  const mixed: Sided[] = [];
  const at = [0, 0];
  const length = sides[0]!.length + sides[1]!.length;
  for (let k = 0; mixed.length < length; k++) {
    const wanted = order[k % order.length]! ? 1 : 0;
    const side = at[wanted]! < sides[wanted]!.length ? wanted : 1 - wanted;
    mixed.push({ side, event: sides[side]![at[side]!++]! });
  }
  return mixed;
}

/** From the index in the mixed stream to the index in the side's own; -1 for an event of the other side. */
function placeWithin(mixed: readonly Sided[], side: number): (seq: number) => number {
  let own = 0;
  const places = mixed.map((one) => (one.side === side ? own++ : -1));
  return (seq) => places[seq] ?? -1;
}
