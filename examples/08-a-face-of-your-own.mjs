// A face for the agent in fifty lines. It folds the agent's events into a conversation and draws that, as the terminal and
// the editor do; it knows no event and no detector. A real agent works on a request against a scripted model that repeats
// one call; the person answers the card of the loop, and the stored history is drawn the same.
//
// Prints: you    Read it to me
// Prints: tool   read_file README.md: ok
// Prints: guard  Repeated calls: the model was told.
// Prints: LOOP   The agent kept making one call that had already been answered.
// Prints: 4) Never flag read_file
// Prints: chosen Continuing: read_file is not flagged any more in this session.
// Prints: the history shows the same: true
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, createModel } from '@loopfuse/agent';
import * as conversation from '@loopfuse/conversation';
import { loopsForever, startModelServer } from '@loopfuse/model-server';

const line = (who, text) => `${who.padEnd(6)} ${text}`;

/** How each item of a conversation looks in this face. */
const drawings = {
  you: ({ text }) => [line('you', text)],
  says: ({ text }) => [line('says', conversation.textOf(text))],
  thinks: ({ text }) => [line('thinks', conversation.textOf(text))],
  tool: ({ call, title, status }) => [line('tool', `${call.tool} ${title}: ${status}`)],
  guard: (notice) => [line('guard', conversation.noticeInWords(notice))],
  note: (note) => [line('note', conversation.noteInWords(note))],
  loop: ({ report, cost, choice }) => [
    line('LOOP', conversation.storyOf(report.kind)),
    line('', conversation.loopInOneLine(report, cost)),
    ...(choice === undefined
      ? conversation.offered(report).map((one, k) => {
          const { label, about } = conversation.choiceWords(one, report);
          return line('', `${k + 1}) ${label}: ${about}`);
        })
      : [line('chosen', conversation.consequence(choice, report))]),
  ],
};
const draw = (shown) => conversation.entries(shown).flatMap((item) => drawings[item.type]?.(item) ?? []);

const root = mkdtempSync(join(tmpdir(), 'loopfuse-face-'));
writeFileSync(join(root, 'README.md'), 'Nothing to see.\n');
const server = await startModelServer({ script: loopsForever({ rounds: 6 }) });
const { model } = createModel({ provider: 'openai-compatible', baseURL: `${server.url}/v1`, model: 'scripted' }, {});
const client = createClient({ model, root, approval: 'yolo' });

let shown = conversation.startConversation();
const happens = (event) => (shown = conversation.reduce(shown, event));

happens({ type: 'started', text: 'Read it to me' });
for await (const event of client.sendMessageStream('Read it to me')) happens(event);
happens({ type: 'settled' });
console.log(draw(shown).join('\n'), `\n       (${conversation.statusOf(shown)})\n`);

client.decide('exempt'); // what the person has pressed
happens({ type: 'loop-answered', choice: 'exempt' });
happens({ type: 'started' });
for await (const event of client.continue()) happens(event);
happens({ type: 'settled' });
console.log(draw(shown).slice(-7).join('\n'));

const again = draw(conversation.fromHistory(client.session()));
console.log(`\nthe history shows the same: ${again.join() === draw(shown).join()}`);
await server.close();
rmSync(root, { recursive: true });
