import { Uri, WorkspaceEdit, workspace } from 'vscode';
import { createEdits, type Edits } from './chat/edits.js';
import { keptEdits } from './chat/kept-edits.js';
import { documentFiles } from './document-files.js';
import { openDocumentAt } from './open-documents.js';

/**
 * The agent's edits, made and undone through the editor's documents, so that the editor's own undo works for both. They are
 * stored in `folder`, so that they can be undone after the window was closed.
 */
export function editorEdits(folder: string, onFault: (message: string) => void): Edits {
  return createEdits({ files: documentFiles(openDocumentAt), remove, kept: keptEdits(folder, onFault) });
}

async function remove(path: string): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.deleteFile(Uri.file(path), { ignoreIfNotExists: true });
  if (!(await workspace.applyEdit(edit))) throw new Error(`The editor did not remove ${path}.`);
}
