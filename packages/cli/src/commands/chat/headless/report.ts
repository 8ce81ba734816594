import type { ClientEvent, HaltReport, JudgeSpending, LoopReport, Usage } from '@loopfuse/agent';
import { unhandled } from '@loopfuse/agent';
import { eventInWords, guardNotice } from '@loopfuse/conversation';
import { exitCode } from '../../../exit-code.js';
import type { Ending } from '../../../terminal/interruption.js';

/** How a run ended, and what there is to know about it: what `--output-format json` prints. */
export interface Report {
  status: Status;
  /** The last text of the model: its answer, or a part of it. */
  text: string;
  calls: number;
  usage: Usage;
  /** What was done about loops before the run was ended, if it was; in shadow, what would have been. */
  steers: Steer[];
  /** The loop that ended the run. */
  loop?: Halt;
  turnLimit?: number;
  /** What interrupted the run. */
  interruptedBy?: Ending;
  /** Calls that were declined because nobody could approve them. */
  refused: { tool: string; title: string }[];
  error?: { message: string; status?: number };
  judge?: JudgeSpending;
  warnings: string[];
}

/** With `cut-off`, `filtered`, `empty` and `needs-approval` the model ended, but the task cannot be done. */
export type Status =
  | 'done'
  | 'cut-off'
  | 'filtered'
  | 'empty'
  | 'needs-approval'
  | 'loop'
  | 'turn-limit'
  | 'interrupted'
  | 'error';

type Loop = Pick<LoopReport, 'kind' | 'title' | 'explanation' | 'evidence' | 'waste' | 'decision'>;
export type Steer = Loop & { message: string; blocked?: string };
export type Halt = Loop & Pick<HaltReport, 'findings' | 'dropped'>;

/** Builds a report from events. */
export interface Reporter {
  readonly report: Report;
  note(event: ClientEvent): void;
}

export function createReporter(): Reporter {
  const report: Report = {
    status: 'error',
    text: '',
    calls: 0,
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
    steers: [],
    refused: [],
    warnings: [],
  };
  const titles = new Map<string, string>();
  let turnOver = false; // the next text replaces the earlier one

  function note(event: ClientEvent): void {
    switch (event.type) {
      case 'content':
        report.text = turnOver ? event.text : report.text + event.text;
        turnOver = false;
        return;
      case 'tool-call-request':
        report.calls++;
        titles.set(event.call.id, event.title);
        turnOver = true;
        return;
      case 'token-usage':
        report.usage = event.total;
        return;
      case 'judge-consulted':
        if (event.spending !== undefined) report.judge = event.spending;
        return;
      case 'judge-failed':
        if (event.spending !== undefined) report.judge = event.spending;
        report.warnings.push(eventInWords(event));
        return;
      case 'tool-call-result':
        if (event.status === 'refused') report.refused.push({ tool: event.tool, title: titles.get(event.id) ?? '' });
        return;
      case 'loop-steered':
        turnOver = true;
        report.steers.push({
          ...loopOf(event),
          message: event.message,
          ...(event.blocked === undefined ? {} : { blocked: event.blocked }),
        });
        return;
      case 'loop-rewound':
      case 'loop-escalated':
      case 'loop-shadowed': {
        turnOver = true;
        const { done, message } = guardNotice(event);
        report.steers.push({ ...loopOf(event), message: message ?? done });
        return;
      }
      case 'loop-detected':
        turnOver = true;
        report.status = 'loop';
        report.loop = { ...loopOf(event), findings: event.findings, dropped: event.dropped };
        return;
      case 'max-turns':
        report.status = 'turn-limit';
        report.turnLimit = event.turns;
        return;
      case 'user-cancelled':
        report.status = 'interrupted';
        return;
      case 'error':
        report.status = 'error';
        report.error = { message: event.message, ...(event.status === undefined ? {} : { status: event.status }) };
        return;
      case 'finished':
        report.status = statusAtEnd(event.reason);
        if (report.calls > 0 && turnOver && report.status === 'done')
          report.warnings.push('The model ended without a word after its last call.');
        delete report.loop; // the user continued after the loop, and the request ended
        return;
      case 'warning':
        report.warnings.push(eventInWords(event));
        return;
      case 'reasoning':
      case 'tool-call-output':
      case 'history-compressed':
      case 'loop-suspected':
        return;
      default:
        report.warnings.push(unhandled(event));
    }
  }

  /** The status after the model ended by itself. */
  function statusAtEnd(reason: string): Status {
    if (reason === 'length') return 'cut-off';
    if (reason === 'content-filter') return 'filtered';
    if (report.refused.length > 0) return 'needs-approval';
    return report.calls === 0 && report.text.trim() === '' ? 'empty' : 'done';
  }

  return { report, note };
}

function loopOf({ kind, title, explanation, evidence, waste, decision }: LoopReport): Loop {
  return { kind, title, explanation, evidence, waste, decision };
}

export const exitCodes: { readonly [Key in Status]: number } = {
  done: exitCode.fine,
  'cut-off': exitCode.incomplete,
  filtered: exitCode.incomplete,
  empty: exitCode.incomplete,
  'needs-approval': exitCode.incomplete,
  loop: exitCode.loopStopped,
  'turn-limit': exitCode.turnLimit,
  interrupted: exitCode.interrupted,
  error: exitCode.failed,
};
