import type { ClientEvent } from '@loopfuse/agent';
import { eventInWords, guardNotice, noticeInWords } from '@loopfuse/conversation';
import type { Json } from 'loopfuse';
import type { Shell } from '../../../shell.js';
import { visibleText } from '../../../terminal/printable.js';
import type { OutputFormat } from '../flags.js';
import type { Report } from './report.js';
import { why } from './why.js';

/** What is known before the first event. */
export interface Opening {
  readonly session: string;
  readonly model: string;
  readonly provider: string;
  readonly root: string;
}

/** What is known after the last. */
export interface Closing extends Opening {
  readonly exitCode: number;
  readonly turns: number;
  readonly cost?: number;
  readonly report: Report;
}

/** Shows a run on standard output, in one of the formats. Reasons go to standard error in all of them. */
export interface Writer {
  open(opening: Opening): Promise<void>;
  event(event: ClientEvent): Promise<void>;
  close(closing: Closing): Promise<void>;
}

export const writers: { readonly [Format in OutputFormat]: (shell: Shell) => Writer } = {
  text: textWriter,
  json: jsonWriter,
  'stream-json': streamWriter,
};

/** The text of the model as it arrives, each turn on a new line. */
function textWriter({ out }: Shell): Writer {
  let midLine = false;
  const end = async () => {
    if (midLine) await out.write('\n');
    midLine = false;
  };
  return {
    async open() {},
    async event(event) {
      if (event.type !== 'content') {
        if (event.type === 'tool-call-request' || event.type.startsWith('loop-')) await end();
        return;
      }
      const text = out.isInteractive ? visibleText(event.text) : event.text;
      if (text === '') return;
      await out.write(text);
      midLine = !text.endsWith('\n');
    },
    close: end,
  };
}

/** One object at the end. */
function jsonWriter({ out }: Shell): Writer {
  return {
    async open() {},
    async event() {},
    close: (closing) => out.write(`${JSON.stringify(resultOf(closing), null, 2)}\n`),
  };
}

/** One object a line: the session, every event as it happens, the result. */
function streamWriter({ out }: Shell): Writer {
  const line = (value: unknown) => out.write(`${JSON.stringify(value)}\n`);
  return {
    open: (opening) => line({ type: 'session', ...opening }),
    event: line,
    close: (closing) => line({ type: 'result', ...resultOf(closing) }),
  };
}

function resultOf({ report, exitCode, ...rest }: Closing): { readonly [key: string]: unknown } {
  const { status, loop, error, ...more } = report;
  const reason = why(report);
  return {
    status,
    exitCode,
    ...(reason === undefined ? {} : { reason }),
    ...(loop === undefined ? {} : { loop: loop as unknown as Json }),
    ...(error === undefined ? {} : { error }),
    ...more,
    ...rest,
  };
}

/** Prints notices on standard error. */
export async function printForPeople(event: ClientEvent, { err }: Shell): Promise<void> {
  switch (event.type) {
    case 'loop-steered':
    case 'loop-rewound':
    case 'loop-escalated':
    case 'loop-shadowed':
      return err.write(`loopfuse: ${err.say(noticeInWords(guardNotice(event)))}\n`);
    case 'judge-failed':
    case 'warning':
      return err.write(`loopfuse: ${err.say(eventInWords(event))}\n`);
    default:
      return;
  }
}
