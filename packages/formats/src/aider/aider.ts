import type { Recorder, TextFormat, Translator } from '../format.js';
import { createTranscript, type Transcript } from '../translating/transcript.js';

/** aider's chat history (`.aider.chat.history.md`): every start of aider is a session. */
export const aider: TextFormat = {
  name: 'aider',
  shape: 'text',
  sniff: ({ bytes }) => /^[ \t]*# aider chat started at \d{4}-\d\d-\d\d/m.test(bytes.toString('utf8', 0, 4096)),
  translate: translateAider,
};

const start = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/;

interface Edit {
  readonly path: string;
  search: string[];
  replace: string[];
  half: 'search' | 'replace';
}

/**
 * A line is the user's if it begins with `####`, aider's own if it begins with `>`, and otherwise the model's. Edits
 * are in the model's text between `<<<<<<< SEARCH` and `>>>>>>> REPLACE`, under the file's name.
 */
function translateAider(recorder: Recorder): Translator<string> {
  let transcript: Transcript | undefined;
  let asked: string[] = [];
  let said: string[] = [];
  let edit: Edit | undefined;
  let open: { id: string; path: string }[] = [];
  let answers = 0;
  let edits = 0;

  function settle(): void {
    if (transcript === undefined) return;
    if (asked.length > 0) {
      transcript.prompt(asked.join('\n'));
      open = [];
    }
    if (said.length > 0) {
      transcript.turn(`answer-${answers}`);
      transcript.text(`${said.join('\n')}\n`);
    }
    asked = [];
    said = [];
  }

  function finishEdit(): void {
    if (!edit || !transcript) return;
    settle();
    const id = `edit-${++edits}`;
    transcript.turn(`answer-${answers}`);
    transcript.call(id, 'edit', { path: edit.path, search: edit.search.join('\n'), replace: edit.replace.join('\n') });
    open.push({ id, path: edit.path });
    edit = undefined;
  }

  function close(output: string, failed: boolean, path?: string): void {
    for (const call of open)
      if (path === undefined || call.path === path) transcript?.result({ id: call.id, output, failed });
    open = open.filter((call) => path !== undefined && call.path !== path);
  }

  /** A line of aider itself. */
  function note(text: string): void {
    const to = transcript;
    if (!to) return;
    settle();
    const applied = /^Applied edit to (.+)$/.exec(text)?.[1];
    const tokens = /^Tokens: ([\d.]+[kM]?) sent,(?: ([\d.]+[kM]?) cache hit,)?.*? ([\d.]+[kM]?) received/.exec(text);
    if (applied !== undefined) close(text, false, applied);
    else if (/did not conform to the edit format|failed to (exactly )?match/i.test(text)) close(text, true);
    else if (tokens) {
      const cost = /Cost: \$([\d.]+) message/.exec(text)?.[1];
      to.usage({
        input: count(tokens[1]),
        output: count(tokens[3]),
        cached: count(tokens[2]),
        cost: cost === undefined ? undefined : Number(cost),
      });
      to.endTurn();
      answers++;
    } else if (/^\^C|KeyboardInterrupt/.test(text)) to.interrupt();
    else
      recorder.open(to.session.id, {
        version: /^Aider v(\S+)/i.exec(text)?.[1],
        model: /^(?:Main model|Model|Models?): (\S+)/.exec(text)?.[1],
      });
  }

  return {
    record(line) {
      const begun = start.exec(line);
      if (begun) {
        settle();
        transcript?.end();
        if (transcript) recorder.close(transcript.session);
        const time = Date.parse(`${begun[1]}T${begun[2]}`);
        const session = recorder.open(`${recorder.fallbackId} ${begun[1]} ${begun[2]}`, {
          agent: 'aider',
          startedAt: Number.isNaN(time) ? undefined : time,
        });
        transcript = createTranscript(recorder, session);
        open = [];
        edit = undefined;
        return;
      }
      transcript ??= createTranscript(recorder, recorder.open(recorder.fallbackId, { agent: 'aider' }));
      if (edit) {
        if (/^={5,9}$/.test(line) && edit.half === 'search') edit.half = 'replace';
        else if (/^>{5,9} REPLACE/.test(line)) finishEdit();
        else edit[edit.half].push(line);
      } else if (/^<{5,9} SEARCH/.test(line)) {
        const path = said.findLast((text) => !text.startsWith('```'))?.slice(0, 1000) ?? '';
        edit = { path: withoutMarks(path), search: [], replace: [], half: 'search' };
      } else if (line.startsWith('#### ')) {
        if (said.length > 0) settle();
        asked.push(line.slice(5).trimEnd());
      } else if (line.startsWith('> ') || line === '>') note(line.slice(2).trimEnd());
      else {
        if (asked.length > 0) settle();
        said.push(line);
      }
    },
    end() {
      settle();
      transcript?.end();
    },
  };
}

/** The name of a file without the marks of a heading, a list or code around it. */
function withoutMarks(text: string): string {
  let from = 0;
  let end = text.length;
  while (from < end && /[#*\s`]/.test(text[from]!)) from++;
  while (end > from && /[*:\s`]/.test(text[end - 1]!)) end--;
  return text.slice(from, end);
}

function count(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const unit = text.endsWith('k') ? 1e3 : text.endsWith('M') ? 1e6 : 1;
  return Math.round(Number.parseFloat(text) * unit);
}
