import {
  type Disposable,
  Range,
  type TextDocumentContentProvider,
  type TextEditor,
  ThemeColor,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { RecordedLoop } from './loops-in.js';
import { type Timeline, timelineOf } from './timeline.js';

/** A session in a file. */
export interface Place {
  readonly file: string;
  readonly id: string;
  readonly title: string;
}

interface Shown extends Timeline {
  readonly loops: readonly RecordedLoop[];
}

/** Sessions as read-only documents with one event per line and the loops highlighted. */
export class TimelineDocuments implements TextDocumentContentProvider, Disposable {
  static readonly scheme = 'loopfuse-session';
  readonly #shown = new Map<string, Shown>();
  readonly #span = window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor('editor.findMatchHighlightBackground'),
    overviewRulerColor: new ThemeColor('editorWarning.foreground'),
  });
  readonly #parts: Disposable[] = [
    this.#span,
    workspace.registerTextDocumentContentProvider(TimelineDocuments.scheme, this),
    window.onDidChangeVisibleTextEditors((editors) => {
      for (const editor of editors) this.#decorate(editor);
    }),
    workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri.toString())),
  ];

  /** Opens a session, at the event where a loop began if one is given. */
  async show(place: Place, loop?: RecordedLoop): Promise<void> {
    const uri = uriOf(place);
    const document = await workspace.openTextDocument(uri);
    const shown = this.#shown.get(uri.toString());
    const editor = await window.showTextDocument(document, { preview: true });
    this.#decorate(editor);
    if (shown === undefined || loop === undefined) return;
    const { range } = document.lineAt(Math.min(shown.lineOf(loop.onset), document.lineCount - 1));
    await window.showTextDocument(document, { preview: true, selection: range });
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const { file, id } = JSON.parse(uri.query) as Place;
    const [{ readRecordings }, { loopsIn }] = await Promise.all([import('./recording.js'), import('./loops-in.js')]);
    const recording = (await readRecordings(file)).find(({ session }) => session.id === id);
    if (recording === undefined) return `The session ${id} is not in ${file} any more.\n`;
    const loops = await loopsIn(recording.events);
    const timeline = timelineOf(recording, loops);
    this.#shown.set(uri.toString(), { ...timeline, loops });
    return timeline.text;
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
  }

  #decorate(editor: TextEditor): void {
    const { document } = editor;
    const shown = this.#shown.get(document.uri.toString());
    if (document.uri.scheme !== TimelineDocuments.scheme || shown === undefined) return;
    const ranges = shown.loops.map(({ onset, until }) => new Range(shown.lineOf(onset), 0, shown.lineOf(until), 0));
    editor.setDecorations(this.#span, ranges);
  }
}

function uriOf({ file, id, title }: Place): Uri {
  const name = title.replace(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 60) || 'session';
  return Uri.from({ scheme: TimelineDocuments.scheme, path: `/${name}.log`, query: JSON.stringify({ file, id }) });
}
