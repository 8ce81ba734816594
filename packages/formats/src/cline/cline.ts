import type { Json } from 'loopfuse';
import type { DocumentFormat, Recorder, Translator } from '../format.js';
import type { Head } from '../records/head.js';
import { createChat } from '../translating/chat.js';
import { list, obj, str } from '../translating/json.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';
import { manifestBeside } from './manifest.js';
import { nativeMessage } from './native.js';
import { createTimeline, isTimelineEntry } from './timeline.js';

/** Sessions of Cline's command line tool (`<data>/sessions/<id>/<id>.messages.json`). */
export const clineCli: DocumentFormat = {
  name: 'cline',
  shape: 'document',
  sniff: ({ document }) =>
    document !== undefined && ['messages', 'sessionId', 'origin'].every((key) => document.keys.has(key)),
  translate: (recorder) => translateTask(recorder, 'cline'),
};

/** Tasks of Cline's editor extension (`tasks/<id>/api_conversation_history.json`, `ui_messages.json`). */
export const cline: DocumentFormat = {
  name: 'cline',
  shape: 'document',
  sniff: (head) => isTask(head),
  translate: (recorder) => translateTask(recorder, /roo-(cline|code)/i.test(recorder.file) ? 'roo-code' : 'cline'),
};

const taskFile = /^(api_conversation_history|claude_messages|ui_messages)\.json/;

/** A task begins with `<task>` and the details of the environment, or is a list of what the panel showed. */
export function isTask({ document, name }: Head): boolean {
  if (document?.top !== 'array') return false;
  const first = document.records[0]?.value ?? null;
  return taskFile.test(name) || isTimelineEntry(first) || environmentOf(first) !== undefined;
}

/** The environment's details in the first message of a task. */
export function environmentOf(message: Json): string | undefined {
  const texts = list(obj(message).content).map((block) => str(obj(block).text) ?? '');
  if (!texts.some((text) => /^\s*<(task|user_message)>/.test(text))) return undefined;
  return texts.find((text) => /^\s*<environment_details>/.test(text));
}

export function translateTask(recorder: Recorder, agent: string): Translator<Json> {
  const superseded = recorder.beside('api_conversation_history.json');
  let transcript: Transcript | undefined;
  let chat: ReturnType<typeof createChat> | undefined;
  let show: ReturnType<typeof createTimeline> | undefined;

  function open(): Transcript {
    transcript ??= createTranscript(
      recorder,
      recorder.open(recorder.fallbackId, { agent, ...manifestBeside(recorder.file) }),
    );
    return transcript;
  }

  return {
    record(value, key) {
      if (key === 'sessionId') {
        const id = str(value);
        if (id !== undefined) recorder.rename(open().session, id);
      } else if (key === 'origin') recorder.open(open().session.id, { version: str(obj(value).version) });
      else if (key !== '' && key !== 'messages') recorder.skip(key);
      else if (isTimelineEntry(value)) {
        if (superseded) {
          recorder.skip('also in api_conversation_history.json');
          return;
        }
        show ??= createTimeline(recorder, open());
        show(value);
      } else {
        chat ??= createChat(recorder, open());
        const environment = environmentOf(value);
        if (environment !== undefined)
          recorder.open(open().session.id, {
            project: /^# Current (?:Working|Workspace) Directory \((.+?)\)/m.exec(environment)?.[1],
            model: /<model>([^<\n]+)<\/model>/.exec(environment)?.[1],
          });
        chat.message(nativeMessage(value));
      }
    },
    end: () => transcript?.end(),
  };
}
