// A face for the agent in fifty lines: it draws a conversation with what the loop guard does and the card of a loop. The
// words come from @loopfuse/conversation, as those of the terminal and the editor do; a real agent works on a request,
// against a scripted model that repeats one call.
//
// Prints: you    Read it to me
// Prints: tool   read_file README.md: ok
// Prints: guard  Repeated calls: the model was told.
// Prints: LOOP   The agent kept making one call that had already been answered.
// Prints: 4) Never flag read_file
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, createModel } from '@loopfuse/agent';
import { choiceWords, guardNotice, loopInOneLine, noticeInWords, offered, storyOf } from '@loopfuse/conversation';
import { loopsForever, startModelServer } from '@loopfuse/model-server';

const root = mkdtempSync(join(tmpdir(), 'loopfuse-face-'));
writeFileSync(join(root, 'README.md'), 'Nothing to see.\n');
const server = await startModelServer({ script: loopsForever() });
const address = { provider: 'openai-compatible', baseURL: `${server.url}/v1`, apiKey: 'none' };
const { model } = createModel({ ...address, model: 'scripted' }, {});
const client = createClient({ model, root, approval: 'yolo' });

const titles = new Map();
const line = (who, text) => console.log(`${who.padEnd(6)} ${text}`);

/** One event as lines; whatever a face does not draw, it leaves out. */
function draw(event) {
  switch (event.type) {
    case 'content':
      return line('says', event.text);
    case 'tool-call-request':
      return titles.set(event.call.id, event.title);
    case 'tool-call-result':
      return line('tool', `${event.tool} ${titles.get(event.id)}: ${event.status}`);
    case 'loop-steered':
    case 'loop-rewound':
    case 'loop-escalated':
    case 'loop-shadowed':
      return line('guard', noticeInWords(guardNotice(event)));
    case 'loop-detected':
      line('LOOP', storyOf(event.kind));
      line('', loopInOneLine(event));
      offered(event).forEach((choice, k) => {
        const { label, about } = choiceWords(choice, event);
        line('', `${k + 1}) ${label}: ${about}`);
      });
  }
}

line('you', 'Read it to me');
for await (const event of client.sendMessageStream('Read it to me')) draw(event);
await server.close();
rmSync(root, { recursive: true });
