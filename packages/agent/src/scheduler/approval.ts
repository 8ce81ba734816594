import type { ToolCall } from '../history/message.js';
import type { Display, Tool, ToolContext } from '../tools/tool.js';

/** Which calls that change something need approval: all (`ask`), programs only (`auto-edit`), none (`yolo`). */
export const approvalModes = ['ask', 'auto-edit', 'yolo'] as const;
export type ApprovalMode = (typeof approvalModes)[number];

/** The question whether a call may run. */
export interface ApprovalRequest {
  readonly call: ToolCall;
  /** What the call is about, in a few words. */
  readonly title: string;
  readonly effect: 'edit' | 'run';
  /** What would be changed or run. */
  readonly display: Display;
  /** What "always" would cover, for showing: programs with their subcommands, or the tool. Empty: it covers nothing. */
  readonly covers: readonly string[];
}

export type ApprovalAnswer = 'once' | 'always' | 'no';

/** An answer, or a refusal with what to do instead, which the model reads in the result. */
export type ApprovalReply = ApprovalAnswer | Instead;

export interface Instead {
  readonly instead: string;
}

/** Asks the user. `withdrawn`: the question was withdrawn before there was an answer, so the call was not declined. */
export type Approve = (request: ApprovalRequest) => Promise<ApprovalReply | 'withdrawn'>;

export type Verdict =
  | { readonly type: 'run' | 'withdrawn' }
  /** `why` is for the model. `instead` is what the user said, for showing it. */
  | { readonly type: 'refused'; readonly why: string; readonly instead?: string };

/** Decides for each call whether the user must be asked, asks, and remembers "always" for its lifetime. */
export interface Approvals {
  mode: ApprovalMode;
  decide(tool: Tool, call: ToolCall, context: ToolContext): Promise<Verdict>;
}

export function createApprovals(mode: ApprovalMode, approve: Approve | undefined): Approvals {
  const always = new Set<string>();
  const approvals: Approvals = {
    mode,
    async decide(tool, call, context) {
      const { effect } = tool;
      if (effect === 'read' || approvals.mode === 'yolo') return go;
      const sensitive = await tool.isSensitive(call.input, context);
      if (effect === 'edit' && approvals.mode === 'auto-edit' && !sensitive) return go;
      // A sensitive call needs approval each time: "always" does not cover it.
      const covers = sensitive ? [] : await tool.covers(call.input, context);
      const keys = covers.map((covered) => `${tool.name} ${covered}`);
      if (!sensitive && keys.every((key) => always.has(key))) return go;
      const display = await tool.preview(call.input, context);
      if (approve === undefined) return { type: 'refused', why: nobody };
      const answer = await approve({ call, title: tool.title(call.input), effect, display, covers });
      if (answer === 'withdrawn') return { type: 'withdrawn' };
      if (answer === 'always') for (const key of keys) always.add(key);
      return answer === 'once' || answer === 'always' ? go : refusal(answer);
    },
  };
  return approvals;
}

function refusal(answer: 'no' | Instead): Verdict {
  const instead = answer === 'no' ? '' : answer.instead.trim();
  if (instead === '') return { type: 'refused', why: declined };
  return { type: 'refused', why: `${saidInstead}\n${instead}`, instead };
}

const go: Verdict = { type: 'run' };
const declined = 'This call was declined by the user. Do not try it again in another form; ask what to do instead.';
const saidInstead =
  'This call was declined by the user. Do not try it again in another form. This is what the user wants instead:';
const nobody =
  'This call was not executed: it needs approval, and nobody is here to give it. Go on without it, or say what has to be done.';
