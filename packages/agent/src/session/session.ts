import type { GuardSnapshot, Json } from 'loopfuse';
import { z } from 'zod';
import type { HaltReport } from '../guard/loop-report.js';
import type { Message } from '../history/message.js';
import { repaired } from '../history/repair.js';
import type { Usage } from '../turn/draft.js';

/** A stored conversation, which a client can continue. Plain JSON, without secrets. */
export interface Session {
  readonly version: 1;
  readonly id: string;
  /** The workspace. */
  readonly root: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** How many times it was saved. Shows whether another process has saved it since. */
  readonly revision?: number;
  readonly model: string;
  /** The first words of the user, which compression may have removed from the history. */
  readonly title?: string;
  /** The request being worked on, or worked on last. */
  readonly promptId?: string;
  readonly request?: string;
  /** Turns of that request so far. */
  readonly turns: number;
  readonly history: readonly Message[];
  readonly usage: Usage;
  /** The loop that halted the request, until the user has decided about it. */
  readonly halted?: HaltReport;
  readonly guard?: GuardSnapshot;
  /** The state of the judge. */
  readonly judge?: Json;
}

const json: z.ZodType = z.json();
const metadata = z.record(z.string(), z.record(z.string(), json)).optional();
const text = z.object({ type: z.enum(['text', 'reasoning']), text: z.string(), metadata });
const call = z.object({
  type: z.literal('tool-call'),
  id: z.string(),
  tool: z.string(),
  input: z.record(z.string(), json),
  title: z.string().optional(),
  unseen: z.literal(true).optional(),
  metadata,
});
const count = z.number().nonnegative();
const usage = z.object({
  inputTokens: count,
  outputTokens: count,
  cachedTokens: count,
  reasoningTokens: count,
  cacheWriteTokens: count.optional(),
});
const display = z.discriminatedUnion('type', [
  z.object({ type: z.literal('diff'), path: z.string(), patch: z.string() }),
  z.object({ type: z.literal('command'), command: z.string(), folder: z.string() }),
  z.object({ type: z.literal('text'), text: z.string() }),
]);
/** Unknown remarks are left out: they are only shown, and must not keep a session from being resumed. */
const remarks = z
  .array(z.object({ event: z.looseObject({ type: z.string() }), part: count.optional() }))
  .optional()
  .catch(undefined);
const attachment = z.object({
  path: z.string(),
  lines: z.tuple([count, count]).optional(),
  text: z.string(),
  cut: count.optional(),
  unsaved: z.literal(true).optional(),
});
const message: z.ZodType = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('user'),
    text: z.string(),
    from: z.enum(['user', 'guard', 'summary', 'agent', 'face']),
    attachments: z.array(attachment).optional(),
    takenOut: z.object({ id: z.string(), messages: z.array(z.lazy(() => message)) }).optional(),
    remarks,
  }),
  z.object({
    role: z.literal('assistant'),
    parts: z.array(z.union([text, call])),
    interrupted: z.literal(true).optional(),
    at: z.number().optional(),
    usage: usage.optional(),
    seq: count.optional(),
    model: z.string().optional(),
    remarks,
  }),
  z.object({
    role: z.literal('tool'),
    remarks,
    results: z.array(
      z.object({
        id: z.string(),
        tool: z.string(),
        output: z.string(),
        status: z.enum(['ok', 'failed', 'refused', 'blocked', 'cancelled', 'not-run']),
        display: display.optional().catch(undefined),
        instead: z.string().optional(),
        milliseconds: z.number().optional(),
      }),
    ),
  }),
]);
const session = z.object({
  version: z.literal(1),
  id: z.string(),
  root: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  revision: count.optional(),
  model: z.string(),
  title: z.string().optional(),
  promptId: z.string().optional(),
  request: z.string().optional(),
  turns: count,
  history: z.array(message),
  usage,
  halted: z
    .looseObject({ kind: z.string(), findings: z.array(z.looseObject({})) })
    .transform(withFindings)
    .optional(),
  guard: z.looseObject({ version: z.number() }).optional(), // the guard checks the version
  judge: json.optional(),
});

/** A decision of an earlier version did not carry its findings; they stood beside it. */
function withFindings<Halted extends { findings: unknown; decision?: unknown }>(halted: Halted): Halted {
  return { ...halted, decision: { findings: halted.findings, ...Object(halted.decision) } };
}

/** A session read back from JSON, its history repaired. Throws a `TypeError` that says what is wrong with it. */
export function readSession(value: unknown): Session {
  const version = (value as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > 1)
    throw new TypeError(`it is of version ${version}, and this program reads version 1: update the program`);
  const read = session.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new TypeError(`it is not a session: ${issue?.path.join('.') || 'the whole'}: ${issue?.message}`);
  }
  const found = read.data as unknown as Session;
  return { ...found, history: repaired(found.history) };
}

export function titleOf({ title, history }: Session): string {
  if (title !== undefined) return title;
  const first = history.find((message) => message.role === 'user' && message.from === 'user');
  return first?.role === 'user' ? titleIn(first.text) : '';
}

/** The first line of a message, as a title. */
export function titleIn(text: string): string {
  return text.trim().split('\n')[0]!.slice(0, 120);
}
