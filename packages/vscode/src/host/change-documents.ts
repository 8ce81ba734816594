import { commands, type Disposable, type TextDocumentContentProvider, Uri, workspace } from 'vscode';
import type { FileText } from './editor.js';

/** Read-only documents for the two sides of a diff; they are not files. */
export class ChangeDocuments implements TextDocumentContentProvider, Disposable {
  static readonly scheme = 'loopfuse-change';
  /** The most changes whose texts are kept. */
  static readonly kept = 20;
  readonly #registered = workspace.registerTextDocumentContentProvider(ChangeDocuments.scheme, this);
  readonly #texts = new Map<string, string>();
  #count = 0;

  show(title: string, before: FileText, after: FileText): void {
    void commands.executeCommand('vscode.diff', this.#put('before', before), this.#put('after', after), title);
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  dispose(): void {
    this.#registered.dispose();
  }

  /** The path tells the editor which language it is. */
  #put(side: string, { path, text }: FileText): Uri {
    const uri = Uri.from({ scheme: ChangeDocuments.scheme, path: `/${path}`, query: `${side}-${++this.#count}` });
    this.#texts.set(uri.toString(), text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > 2 * ChangeDocuments.kept && oldest !== undefined) this.#texts.delete(oldest);
    return uri;
  }
}
