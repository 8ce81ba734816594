import type { Detector } from 'loopfuse';
import { budget, chanting, lowNovelty, monologue, opinion, staleRounds } from 'loopfuse/detectors';
import { balanced } from 'loopfuse/presets';
import { messageOf } from 'loopfuse/words';
import { z } from 'zod';

const often = (what: string) => z.int().min(2).optional().describe(what);
const factor = (what: string) => z.number().min(0.1).max(100).optional().describe(what);
const share = (what: string) => z.number().min(0).max(1).optional().describe(what);
const caps = z
  .strictObject({
    turns: z.int().min(1).optional(),
    calls: z.int().min(1).optional(),
    tokens: z.int().min(1).optional(),
    cost: z.number().positive().optional(),
  })
  .optional();

/** The detectors that settings can tune: the options of each, and how it is made. */
const tunable = {
  'stale-rounds': tuned(staleRounds, {
    times: z.number().min(2).max(100).optional().describe('How many rounds that bring the same again make a loop.'),
  }),
  chanting: tuned(chanting, {
    patience: factor('How much more must be repeated: 2 waits twice as long, 0.5 half as long.'),
  }),
  'low-novelty': tuned(lowNovelty, {
    patience: factor('How much more must go in circles: 2 waits twice as long, 0.5 half as long.'),
  }),
  monologue: tuned(monologue, {
    times: often('How many equal messages are a loop when nobody answers.'),
    timesWithUser: often('How many when the user answers in between.'),
    shortMessage: z
      .int()
      .min(0)
      .optional()
      .describe('Messages with fewer characters need three times as many repeats.'),
  }),
  opinion: tuned(opinion, {
    certain: share('A judge at least this sure ends in a loop.'),
    doubtful: share('A judge at least this sure ends in a suspicion.'),
  }),
  budget: tuned(budget, {
    hard: caps.describe('Beyond these the run ends.'),
    soft: caps.describe('Beyond these it ends when calls repeat.'),
    repeats: often('How many times a call must have been repeated for that.'),
  }),
};

interface Tunable {
  readonly schema: z.ZodOptional<z.ZodUnion<readonly [z.ZodObject, z.ZodLiteral<false>]>>;
  make(options: object): Detector;
}

function tuned<Options extends object>(
  factory: (options: Options) => Detector,
  shape: { [Key in keyof Options]-?: z.ZodType },
): Tunable {
  const object: z.ZodObject = z.strictObject(shape as z.ZodRawShape);
  return {
    schema: z.union([object, z.literal(false)]).optional(),
    make: (options) => factory(options as Options),
  };
}

export type DetectorSettings = { readonly [Name in keyof typeof tunable]?: object | false | undefined };

export const detectorSettings: z.ZodType<DetectorSettings> = z.strictObject(
  Object.fromEntries(Object.entries(tunable).map(([name, { schema }]) => [name, schema])),
);

/** The balanced preset with these thresholds. A detector set to `false` is left out; detectors that are not named are unchanged. */
export function tunedDetectors(settings: DetectorSettings): readonly Detector[] {
  const named = new Map(Object.entries(settings).filter(([, options]) => options !== undefined));
  const detectors = balanced().flatMap((detector) => {
    const options = named.get(detector.name);
    named.delete(detector.name);
    if (options === false) return [];
    return options === undefined ? [detector] : [tunable[detector.name as keyof typeof tunable].make(options)];
  });
  for (const [name, options] of named)
    if (typeof options === 'object') detectors.push(tunable[name as keyof typeof tunable].make(options));
  return detectors;
}

/** Why the thresholds cannot be used together, as a sentence. */
export function detectorProblem(settings: DetectorSettings): string | undefined {
  try {
    tunedDetectors(settings);
    return undefined;
  } catch (cause) {
    return `cannot be used: ${messageOf(cause)}`;
  }
}
