import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { diskFiles, loadSession, openAgent, type Session, type Settings, sessionFolder } from '@loopfuse/agent';
import { type ModelServer, type Script, startModelServer, workspaceFiles } from '@loopfuse/model-server';
import { onTestFinished } from 'vitest';
import { readToHost, readToView, type ToHost, type ToView } from '../../protocol/index.js';
import { type Chat, type ChatOptions, startChat } from '../chat/chat.js';
import { createEdits } from '../chat/edits.js';
import { keptEdits } from '../chat/kept-edits.js';
import type { Editor, Excerpt, OpenedSession } from '../editor.js';

/** An editor that records its calls and gives prepared answers. */
export class RecordingEditor implements Editor {
  readonly posts: ToView[] = [];
  readonly logged: { level: string; message: string; data?: unknown }[] = [];
  readonly guards: string[] = [];
  readonly busy: boolean[] = [];
  readonly notices: { tone: string; message: string; buttons: string[] }[] = [];
  readonly ran: string[] = [];
  readonly files: { file: string; line?: number | undefined }[] = [];
  readonly diffs: { title: string; before: string; after: string }[] = [];
  readonly copied: string[] = [];
  revealed = 0;
  hasPage = true;
  visible = true;
  trusted = true;
  opened: OpenedSession | undefined;
  /** The button that is pressed in a notification; none by default. */
  press: (buttons: readonly string[]) => string | undefined = () => undefined;
  typed: string | undefined;
  /** What is selected in the editor. */
  selected: Excerpt | undefined;
  private watchers: (() => void)[] = [];

  post(message: ToView): void {
    if (!this.hasPage) return; // like an editor whose page is not loaded yet
    this.posts.push(readToView(JSON.parse(JSON.stringify(message))));
    for (const look of this.watchers) look();
  }
  log(level: string, message: string, data?: unknown): void {
    this.logged.push({ level, message, data });
  }
  showGuard(state: string): void {
    if (this.guards.at(-1) !== state) this.guards.push(state);
  }
  showBusy(busy: boolean): void {
    this.busy.push(busy);
  }
  async notify(tone: string, message: string, ...buttons: string[]): Promise<string | undefined> {
    this.notices.push({ tone, message, buttons });
    return this.press(buttons);
  }
  async ask(): Promise<string | undefined> {
    return this.typed;
  }
  reveal(): void {
    this.revealed++;
  }
  excerpt(): Excerpt | undefined {
    return this.selected;
  }
  openFile(file: string, line?: number): void {
    this.files.push({ file, line });
  }
  openDiff(title: string, before: { text: string }, after: { text: string }): void {
    this.diffs.push({ title, before: before.text, after: after.text });
  }
  copy(text: string): void {
    this.copied.push(text);
  }
  run(command: string): void {
    this.ran.push(command);
  }

  of<Type extends ToView['type']>(type: Type): Extract<ToView, { type: Type }>[] {
    return this.posts.filter((message): message is Extract<ToView, { type: Type }> => message.type === type);
  }
  /** The next message of this type, or the one after the first `after` of them. */
  next<Type extends ToView['type']>(
    type: Type,
    after = this.of(type).length,
  ): Promise<Extract<ToView, { type: Type }>> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.of(type)[after];
        if (found === undefined) return;
        this.watchers = this.watchers.filter((one) => one !== look);
        resolve(found);
      };
      this.watchers.push(look);
      look();
    });
  }
  /** All events that were sent to the page, in order. */
  get events() {
    return this.of('events').flatMap(({ events }) => events);
  }
  get notes() {
    return this.of('note').map(({ text }) => text);
  }
}

export interface ScriptedChat {
  readonly chat: Chat;
  readonly editor: RecordingEditor;
  readonly server: ModelServer;
  readonly home: string;
  readonly root: string;
  /** Sends a message as the page does. */
  say(message: ToHost): void;
  /** The session files of the folder. */
  saved(): Promise<Session[]>;
  /** Another window on the same folder. */
  another(editor?: RecordingEditor): Chat;
  /** The editor's settings for the next time the agent is opened. */
  settings: Settings;
}

/** The key that the editor has stored for the model. */
export const storedKey = 'sk-kept-by-the-editor-4711';

/** The chat with the real agent in its own folder, and the scripted model behind a real protocol. */
export async function scriptedChat(
  script: Script,
  { settings = {}, ...more }: { settings?: Settings } & Partial<ChatOptions> = {},
): Promise<ScriptedChat> {
  const server = await startModelServer({ script });
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loopfuse-vscode-')));
  const root = join(home, 'work');
  for (const [path, text] of Object.entries(workspaceFiles)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const model = { provider: 'openai-compatible', model: 'scripted', baseURL: `${server.url}/v1` } as const;
  const chats: Chat[] = [];
  const scripted: ScriptedChat = {
    editor: new RecordingEditor(),
    chat: undefined as never,
    server,
    home,
    root,
    settings: { ...model, ...settings },
    say: (message) => scripted.chat.take(readToHost(message)),
    async saved() {
      const folder = sessionFolder(home, root);
      const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
      return Promise.all(names.map((name) => loadSession(join(folder, name))));
    },
    another(editor = new RecordingEditor()) {
      const kept = keptEdits(join(home, 'storage', 'edits'), (message) => editor.log('warn', message));
      const edits = createEdits({ files: diskFiles, remove: (path) => rm(path), kept });
      const chat = startChat({
        editor,
        edits,
        open: async () =>
          openAgent({
            ...{ cwd: root, home, env: { PATH: process.env.PATH }, overrides: scripted.settings },
            files: edits.files,
            keys: { LOOPFUSE_API_KEY: { key: storedKey, addresses: [server.url] } },
          }),
        pause: 5,
        ...more,
      });
      chats.push(chat);
      return chat;
    },
  };
  onTestFinished(async () => {
    await Promise.all(chats.map((chat) => chat.close()));
    await server.close();
    rmSync(home, { recursive: true, force: true });
  });
  return Object.assign(scripted, { chat: scripted.another(scripted.editor) });
}
