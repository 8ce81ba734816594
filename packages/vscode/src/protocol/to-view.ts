import type {
  ApprovalRequest,
  AttachmentName,
  ClientEvent,
  HaltReport,
  JudgeSpending,
  Message,
  Usage,
} from '@loopfuse/agent';
import { choices, type GuardState, guardStates, type Tone, tones } from '@loopfuse/conversation';
import type { Price } from '@loopfuse/prices';
import type { Choice } from 'loopfuse';
import { z } from 'zod';

export { choices, type GuardState, guardStates, type Tone, tones };

/** The facts about the conversation: what the line below the chat shows, and what else can be done. */
export interface Facts {
  readonly model: string;
  readonly provider: string;
  readonly approval: 'ask' | 'auto-edit' | 'yolo';
  readonly guard: GuardState;
  readonly usage: Usage;
  /** What the model costs; absent if that is not known. */
  readonly price?: Price | undefined;
  readonly judge?: JudgeSpending | undefined;
  /** Whether the folder is trusted; in one that is not, no tool runs. */
  readonly trusted: boolean;
  /** Why nothing can be sent, in words; absent if something can. */
  readonly blocked?: string | undefined;
  /** What can be done about `blocked`, the best first. */
  readonly remedies?: readonly Remedy[] | undefined;
  readonly undoable?: readonly UndoableEdits[] | undefined;
}

/** The files that an answer changed and that can be restored. */
export interface UndoableEdits {
  readonly id: number;
  /** The last call that changed one of them. It identifies the answer. */
  readonly call: string;
  /** Paths in the workspace. */
  readonly files: readonly string[];
}

/** A way to fix a problem: the label of a button, and the command that it runs. */
export interface Remedy {
  readonly label: string;
  readonly command: string;
}

export interface SessionRow {
  readonly id: string;
  readonly title: string;
  /** ISO 8601. */
  readonly updatedAt: string;
  readonly model: string;
  readonly messages: number;
  readonly halted: boolean;
}

/** An attachment of the next message. */
export interface Attached extends AttachmentName {
  readonly id: number;
  /** A note about it, for example that it was cut. */
  readonly note?: string | undefined;
}

/** A message from the host to the page. */
export type ToView =
  /** Replaces everything that is shown. `cut` says that the last request was interrupted and can be continued. */
  | {
      readonly type: 'conversation';
      readonly sessionId: string;
      readonly history: readonly Message[];
      readonly facts: Facts;
      readonly halted?: HaltReport | undefined;
      readonly cut?: boolean | undefined;
      readonly attached?: readonly Attached[] | undefined;
    }
  /** A request starts; `text` is the user's message, absent when an earlier request is continued. */
  | {
      readonly type: 'started';
      readonly text?: string | undefined;
      readonly attached?: readonly AttachmentName[] | undefined;
    }
  /** Replaces the attachments of the next message. */
  | { readonly type: 'attached'; readonly attached: readonly Attached[] }
  /** Events of the agent, in order. */
  | { readonly type: 'events'; readonly events: readonly ClientEvent[] }
  /** The request has ended, successfully or not. */
  | { readonly type: 'settled' }
  | { readonly type: 'approval'; readonly id: number; readonly request: ApprovalRequest }
  /** The approval was withdrawn. */
  | { readonly type: 'approval-gone'; readonly id: number }
  /** What the user chose about the loop, on the page or elsewhere. The card becomes a line. */
  | { readonly type: 'loop-answered'; readonly choice: Choice; readonly hint?: string }
  /** The choice that the page sent could not be carried out; a note says why. The card asks again. */
  | { readonly type: 'loop-choice-failed' }
  | { readonly type: 'facts'; readonly facts: Facts }
  | { readonly type: 'sessions'; readonly sessions: readonly SessionRow[] }
  | { readonly type: 'note'; readonly text: string; readonly tone: Tone }
  /** Focuses the composer and adds the text, if there is one. */
  | { readonly type: 'compose'; readonly text?: string | undefined };

const count = z.number();
const usage = z.looseObject({ inputTokens: count, outputTokens: count, cachedTokens: count, reasoningTokens: count });
const facts = z.looseObject({
  model: z.string(),
  provider: z.string(),
  approval: z.enum(['ask', 'auto-edit', 'yolo']),
  guard: z.enum(guardStates),
  usage,
  price: z.looseObject({ input: count, output: count, cached: count }).optional(),
  trusted: z.boolean(),
  blocked: z.string().optional(),
  undoable: z.array(z.object({ id: count, call: z.string(), files: z.array(z.string()) })).optional(),
  remedies: z.array(z.object({ label: z.string(), command: z.string() })).optional(),
});
const halted = z.looseObject({
  kind: z.string(),
  title: z.string(),
  explanation: z.string(),
  findings: z.array(z.looseObject({})),
  choices: z.array(z.string()),
});

const attachmentName = { path: z.string(), lines: z.tuple([count, count]).optional() };
const attached = z.array(z.object({ ...attachmentName, id: count, note: z.string().optional() }));

const schema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('conversation'),
    sessionId: z.string(),
    history: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'tool']) })),
    facts,
    halted: halted.optional(),
    cut: z.boolean().optional(),
    attached: attached.optional(),
  }),
  z.object({
    type: z.literal('started'),
    text: z.string().optional(),
    attached: z.array(z.object(attachmentName)).optional(),
  }),
  z.object({ type: z.literal('attached'), attached }),
  z.object({ type: z.literal('events'), events: z.array(z.looseObject({ type: z.string() })) }),
  z.object({ type: z.literal('settled') }),
  z.object({
    type: z.literal('approval'),
    id: count,
    request: z.looseObject({
      call: z.looseObject({ id: z.string(), tool: z.string() }),
      title: z.string(),
      effect: z.enum(['edit', 'run']),
      display: z.looseObject({ type: z.string() }),
      covers: z.array(z.string()),
    }),
  }),
  z.object({ type: z.literal('approval-gone'), id: count }),
  z.object({ type: z.literal('loop-answered'), choice: z.enum(choices), hint: z.string().optional() }),
  z.object({ type: z.literal('loop-choice-failed') }),
  z.object({ type: z.literal('facts'), facts }),
  z.object({
    type: z.literal('sessions'),
    sessions: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        updatedAt: z.string(),
        model: z.string(),
        messages: count,
        halted: z.boolean(),
      }),
    ),
  }),
  z.object({ type: z.literal('note'), text: z.string(), tone: z.enum(tones) }),
  z.object({ type: z.literal('compose'), text: z.string().optional() }),
]);

/** Validates a message to the page. Throws a `TypeError` that says what is wrong with it. */
export function readToView(value: unknown): ToView {
  const read = schema.safeParse(value);
  if (read.success) return read.data as unknown as ToView;
  throw new TypeError(`a message to the page is not understood: ${wordsOf(value, read.error)}`);
}

export function wordsOf(value: unknown, { issues: [issue] }: z.ZodError): string {
  const type = (value as { type?: unknown } | null)?.type;
  return `${JSON.stringify(type) ?? typeof value}: ${issue?.path.join('.') || 'the whole'}: ${issue?.message}`;
}
