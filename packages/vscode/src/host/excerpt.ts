import type { Selection, TextDocument, TextEditor, Uri } from 'vscode';
import { window, workspace } from 'vscode';
import type { Excerpt } from './editor.js';

/** What is selected in a text editor, or all of its text when nothing is. */
export function excerptIn({ document, selection }: Pick<TextEditor, 'document' | 'selection'>): Excerpt {
  if (selection.isEmpty) return wholeOf(document);
  return { ...wholeOf(document), text: document.getText(selection), lines: linesOf(selection) };
}

/** All of the text in front, whatever is selected. */
export function wholeExcerpt(): Excerpt | undefined {
  return window.activeTextEditor && wholeOf(window.activeTextEditor.document);
}

/** All of a file, unsaved changes included. Rejects where it is not text. */
export async function excerptOf(uri: Uri): Promise<Excerpt> {
  return wholeOf(await workspace.openTextDocument(uri));
}

function wholeOf(document: TextDocument): Excerpt {
  const { uri, fileName, isDirty } = document;
  const file = uri.scheme === 'file' ? uri.fsPath : undefined;
  return { file, title: workspace.asRelativePath(fileName), text: document.getText(), isUnsaved: isDirty };
}

/** A selection that ends before the first character of a line has nothing of that line. */
function linesOf({ start, end }: Selection): readonly [number, number] {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return [start.line + 1, last];
}
