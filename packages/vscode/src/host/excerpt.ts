import type { Selection, TextDocument, TextEditor, Uri } from 'vscode';
import { window, workspace } from 'vscode';
import type { Excerpt } from './editor.js';

/** The selection in a text editor, or all of its text if nothing is selected. */
export function excerptIn({ document, selection }: Pick<TextEditor, 'document' | 'selection'>): Excerpt {
  if (selection.isEmpty) return wholeOf(document);
  return { ...wholeOf(document), text: document.getText(selection), lines: linesOf(selection) };
}

/** The whole text of the active editor, whatever is selected. */
export function wholeExcerpt(): Excerpt | undefined {
  return window.activeTextEditor && wholeOf(window.activeTextEditor.document);
}

/** The whole file, unsaved changes included. Rejects if it is not text. */
export async function excerptOf(uri: Uri): Promise<Excerpt> {
  return wholeOf(await workspace.openTextDocument(uri));
}

function wholeOf(document: TextDocument): Excerpt {
  const { uri, fileName, isDirty } = document;
  const file = uri.scheme === 'file' ? uri.fsPath : undefined;
  return { file, title: workspace.asRelativePath(fileName), text: document.getText(), isUnsaved: isDirty };
}

/** A selection that ends at the start of a line does not include that line. */
function linesOf({ start, end }: Selection): readonly [number, number] {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return [start.line + 1, last];
}
