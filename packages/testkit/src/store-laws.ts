import type { Store, StoreFault, StoreOptions } from '@loopfuse/store';
import fc from 'fast-check';
import { type AgentEvent, createGuard, type Decision, type GuardSnapshot, resumeGuard } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sessions } from './arbitraries/sessions.js';
import { namedScenes, type Scenes } from './laws/law.js';

/** An empty place in which stores of one kind are opened. */
export interface StorePlace {
  /** Opens a store on the place; the harness closes it. */
  open(options: StoreOptions): Store | Promise<Store>;
  /** Makes what is saved under the key unreadable. */
  damage?(key: string): Promise<void>;
  /** Makes the place unreachable; the returned function makes it reachable again. */
  outage?(): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

export interface StoreLawOptions {
  /** Whether stores on one place see what the others save; false for stores in memory. */
  readonly shared: boolean;
  /** Sessions with loops in them, so that the law of equal decisions is about decisions. */
  readonly loops?: Scenes;
  readonly runs?: number;
  readonly seed?: number;
}

/** Registers, in a Vitest file, one test for every law that a store must keep. */
export function storeLaws(
  name: string,
  makePlace: () => StorePlace | Promise<StorePlace>,
  { shared, loops = [], runs = 30, seed }: StoreLawOptions,
): void {
  describe(`the laws of the ${name} store`, () => {
    let place: StorePlace;
    let opened: Store[];
    let faults: StoreFault[];
    let recoveries: number;

    beforeEach(async () => {
      place = await makePlace();
      opened = [];
      faults = [];
      recoveries = 0;
    });

    afterEach(async () => {
      for (const store of opened) await store.close();
      await place.remove();
    });

    async function open(options: StoreOptions = {}): Promise<Store> {
      const onFault = (fault: StoreFault) => void faults.push(fault);
      const onRecovery = () => {
        recoveries += 1;
      };
      const store = await place.open({ onFault, onRecovery, pauseMs: 1, ...options });
      opened.push(store);
      return store;
    }

    /** Several stores on one place if that is possible, else one store several times. */
    async function openSeveral(count: number): Promise<Store[]> {
      if (shared) return Promise.all(Array.from({ length: count }, () => open()));
      const store = await open();
      return Array.from({ length: count }, () => store);
    }

    const assertion = { numRuns: runs, ...(seed === undefined ? {} : { seed }) };

    test('what was saved last comes back, for every key, whichever store asks', async () => {
      const stores = await openSeveral(2);
      const actions = fc.array(fc.record({ by: fc.nat(1), key: fc.nat(3), does: doings }), { maxLength: 12 });
      let round = 0;
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(keys, { minLength: 4, maxLength: 4 }), actions, async (names, steps) => {
          round += 1;
          const model = new Map<string, unknown>();
          for (const { by, key, does } of steps) {
            const name = `${round} ${names[key]}`;
            const seen = await stores[by]!.update(name, (saved) => ({ result: saved, ...does }));
            expect(seen).toEqual(model.get(name));
            if ('forget' in does) model.delete(name);
            if ('save' in does) model.set(name, does.save);
          }
        }),
        assertion,
      );
      expect(faults).toEqual([]);
    });

    test('updates of one session run one after another, and none is lost', async () => {
      const stores = await openSeveral(3);
      let inside = 0;
      const results = await Promise.all(
        Array.from({ length: 60 }, (_, k) =>
          stores[k % stores.length]!.update('busy', async (saved) => {
            inside += 1;
            expect(inside).toBe(1);
            await new Promise((resolve) => setTimeout(resolve, k % 3));
            inside -= 1;
            const count = ((saved as number | undefined) ?? 0) + 1;
            return { result: count, save: count };
          }),
        ),
      );
      expect([...results].sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, k) => k + 1));
      expect(faults).toEqual([]);
    });

    test('sessions do not wait for each other', async () => {
      const store = await open();
      const inner = await store.update('outer', async () => ({
        result: await store.update('inner', () => ({ result: 'ran inside' })),
      }));
      expect(inner).toBe('ran inside');
    });

    test('requests of a session that land on different stores get the decisions of one guard', async () => {
      const stores = await openSeveral(3);
      const woven = sessions({ scenes: namedScenes(loops).map(([, events]) => events) });
      let round = 0;
      let decisions = 0;
      await fc.assert(
        fc.asyncProperty(woven, fc.array(fc.nat(2), { minLength: 1, maxLength: 20 }), async (events, route) => {
          round += 1;
          const alone = createGuard({ detectors: balanced() });
          for (const [k, request] of inRequests(events).entries()) {
            const store = stores[route[k % route.length]!]!;
            const decided = await store.update(`session ${round}`, (saved) => {
              const options = { detectors: balanced() };
              const guard = saved === undefined ? createGuard(options) : resumeGuard(options, saved as GuardSnapshot);
              return { result: request.map((event) => guard.observe(event)), save: guard.snapshot() };
            });
            const expected: Decision[] = request.map((event) => alone.observe(event));
            expect(decided).toEqual(expected);
            decisions += expected.filter(({ type }) => type !== 'allow').length;
          }
        }),
        { ...assertion, numRuns: Math.ceil(runs / 4) },
      );
      expect(faults).toEqual([]);
      if (namedScenes(loops).length > 0) expect(decisions).toBeGreaterThan(0);
    });

    test('what the caller does to a value after it was passed in changes nothing', async () => {
      const store = await open();
      const value = { list: [1, 2] };
      await store.update('copy', () => ({ result: 0, save: value }));
      value.list.push(3);
      await store.update('copy', (saved) => {
        (saved as typeof value).list.push(4);
        return { result: 0 };
      });
      expect(await store.update('copy', (saved) => ({ result: saved }))).toEqual({ list: [1, 2] });
    });

    test('work that throws saves nothing, and the next one gets its turn', async () => {
      const store = await open();
      await store.update('throws', () => ({ result: 0, save: 'before' }));
      const failing = store.update('throws', () => {
        throw new Error('of the caller');
      });
      await expect(failing).rejects.toThrow('of the caller');
      expect(await store.update('throws', (saved) => ({ result: saved }))).toBe('before');
      expect(faults).toEqual([]);
    });

    test('work that forgets to return saves nothing, and the next one gets its turn', async () => {
      const store = await open();
      await store.update('forgets', () => ({ result: 0, save: 'before' }));
      const failing = store.update('forgets', () => undefined as never);
      await expect(failing).rejects.toThrow('update: work must return { result }');
      expect(await store.update('forgets', (saved) => ({ result: saved }))).toBe('before');
      expect(faults).toEqual([]);
    });

    test('a session that was not saved for a long time is dropped', async () => {
      let time = Date.now();
      const store = await open({ expirySeconds: 60, now: () => time });
      await store.update('old', () => ({ result: 0, save: 'kept' }));
      time += 59_000;
      expect(await store.update('old', (saved) => ({ result: saved }))).toBe('kept');
      time += 2_000;
      expect(await store.update('old', (saved) => ({ result: saved }))).toBeUndefined();
      expect(await store.recent()).toEqual([]);
    });

    test('what cannot be saved is reported, the result counts and the last state stays', async () => {
      const store = await open({ mostCharacters: 1_000 });
      await store.update('huge', () => ({ result: 0, save: 'small' }));
      const cycle: unknown[] = [];
      cycle.push(cycle);
      expect(await store.update('huge', () => ({ result: 1, save: 'x'.repeat(2_000) }))).toBe(1);
      expect(await store.update('huge', () => ({ result: 2, save: cycle }))).toBe(2);
      expect(await store.update('huge', () => ({ result: 3, save: 1n }))).toBe(3);
      expect(await store.update('huge', (saved) => ({ result: saved }))).toBe('small');
      expect(faults.map(({ operation, key }) => [operation, key])).toContainEqual(['save', 'huge']);
      expect(faults[0]?.message).toContain('1000 characters');
    });

    test('the sessions saved last are listed, newest first, with what they hold', async () => {
      const [store, other] = (await openSeveral(2)) as [Store, Store];
      for (const key of ['a', 'b', 'c', 'd']) {
        await store.update(key, () => ({ result: 0, save: { name: key } }));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await store.update('d', () => ({ result: 0, forget: true }));
      await other.update('a', () => ({ result: 0, save: { name: 'a again' } }));
      const listed = await other.recent(2);
      expect(listed.map(({ key, saved }) => [key, saved])).toEqual([
        ['a', { name: 'a again' }],
        ['c', { name: 'c' }],
      ]);
      expect(listed[0]!.at).toBeGreaterThanOrEqual(listed[1]!.at);
    });

    test('work that never ends does not block the session for ever', async () => {
      const store = await open({ waitMs: 30 });
      let end: () => void = () => {};
      const stuck = store.update('stuck', async () => {
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        return { result: 'late', save: 'late' };
      });
      expect(await store.update('stuck', () => ({ result: 'went on', save: 'lost' }))).toBe('went on');
      expect(faults.map(({ operation }) => operation)).toEqual(['lock']);
      end();
      expect(await stuck).toBe('late');
      expect(await store.update('stuck', (saved) => ({ result: saved }))).toBe('late');
    });

    test('a listener that throws stops nothing', async () => {
      const throwing = (): never => {
        throw new Error('of the listener');
      };
      const store = await open({ mostCharacters: 1_000, onFault: throwing, onRecovery: throwing });
      expect(await store.update('a', () => ({ result: 1, save: 'x'.repeat(2_000) }))).toBe(1);
      expect(await store.update('a', () => ({ result: 2, save: 'x' }))).toBe(2);
    });

    test('a saved session that cannot be read is reported and starts again', async () => {
      const store = await open();
      if (!place.damage) return void expect(shared, 'a store that others can reach can be damaged').toBe(false);
      await store.update('broken', () => ({ result: 0, save: 'secret state' }));
      await place.damage('broken');
      const other = await open();
      expect(await other.update('broken', (saved) => ({ result: saved ?? 'fresh', save: 'new' }))).toBe('fresh');
      expect(faults).toMatchObject([{ operation: 'load', key: 'broken' }]);
      expect(faults[0]!.message).not.toContain('secret');
      expect(await other.update('broken', (saved) => ({ result: saved }))).toBe('new');
    });

    test('without its place a store continues from memory, reports it, and recovers by itself', async () => {
      const store = await open();
      if (!place.outage) return void expect(shared, 'a place that others can reach can be taken away').toBe(false);
      const count = (key: string): Promise<number> =>
        store.update(key, (saved) => {
          const next = ((saved as number | undefined) ?? 0) + 1;
          return { result: next, save: next };
        });
      await count('known');
      const bringBack = await place.outage();
      expect(await count('known')).toBe(2);
      expect(await count('known')).toBe(3);
      expect(await count('new')).toBe(1);
      expect(store.health.state).toBe('degraded');
      expect(faults.length).toBeGreaterThan(0);
      await bringBack();
      let known = 3;
      while (store.health.state === 'degraded') {
        known += 1;
        expect(await count('known')).toBe(known);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(recoveries).toBe(1);
      const other = await open();
      expect(await other.update('known', (saved) => ({ result: saved }))).toBe(known);
    });
  });
}

type Changes = { readonly save?: unknown; readonly forget?: never } | { readonly forget: true; readonly save?: never };

const keys = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
  fc.constantFrom(
    '../../etc/passwd',
    'a/b',
    'C:\\x',
    '\ud800',
    '\udfff',
    'nul\0',
    '{tag}',
    'x'.repeat(5_000),
    '__proto__',
  ),
);

const doings: fc.Arbitrary<Changes> = fc.oneof(
  fc.record({ save: fc.jsonValue().map((value) => JSON.parse(JSON.stringify({ value }))) }),
  fc.constant({ forget: true as const }),
  fc.constant({}),
);

/** The events of a session as an agent sends them: each request ends with a turn or a result. */
function inRequests(events: readonly AgentEvent[]): AgentEvent[][] {
  const requests: AgentEvent[][] = [[]];
  for (const event of events) {
    requests.at(-1)!.push(event);
    if (event.type === 'turn-end' || event.type === 'tool-result') requests.push([]);
  }
  return requests.filter(({ length }) => length > 0);
}
