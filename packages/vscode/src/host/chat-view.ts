import { randomBytes } from 'node:crypto';
import { type Disposable, Uri, type WebviewView, type WebviewViewProvider, window } from 'vscode';
import type { ToView } from '../protocol/index.js';
import { pageOf } from './page.js';

/** The chat's page in the side bar. The editor may dispose of it at any time; the conversation is not kept in it. */
export class ChatView implements WebviewViewProvider, Disposable {
  static readonly id = 'loopfuse.chat';
  readonly #registered: Disposable;
  readonly #folder: Uri;
  readonly #onMessage: (message: unknown) => void;
  #view: WebviewView | undefined;
  #loaded = false;

  constructor(extension: Uri, onMessage: (message: unknown) => void) {
    this.#folder = Uri.joinPath(extension, 'dist', 'webview');
    this.#onMessage = onMessage;
    this.#registered = window.registerWebviewViewProvider(ChatView.id, this, {
      webviewOptions: { retainContextWhenHidden: true },
    });
  }

  get visible(): boolean {
    return this.#view?.visible === true;
  }

  /** Whether its script runs. What is posted before that is lost. */
  get loaded(): boolean {
    return this.#view !== undefined && this.#loaded;
  }

  post(message: ToView): void {
    void this.#view?.webview.postMessage(message);
  }

  resolveWebviewView(view: WebviewView): void {
    const { webview } = view;
    this.#view = view;
    this.#loaded = false;
    webview.options = { enableScripts: true, localResourceRoots: [this.#folder] };
    const addressOf = (name: string) => webview.asWebviewUri(Uri.joinPath(this.#folder, name)).toString();
    webview.onDidReceiveMessage((message: unknown) => {
      this.#loaded = true;
      this.#onMessage(message);
    });
    view.onDidDispose(() => {
      if (this.#view === view) this.#view = undefined;
    });
    webview.html = pageOf({
      nonce: randomBytes(18).toString('base64'),
      source: webview.cspSource,
      script: addressOf('index.js'),
      style: addressOf('index.css'),
    });
  }

  dispose(): void {
    this.#registered.dispose();
  }
}
