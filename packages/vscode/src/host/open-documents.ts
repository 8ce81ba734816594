import { realpathSync } from 'node:fs';
import { Range, type TextDocument, WorkspaceEdit, workspace } from 'vscode';
import type { OpenDocument } from './document-files.js';

/** The open document of the editor for a real path, if there is one. */
export function openDocumentAt(path: string): OpenDocument | undefined {
  const document = workspace.textDocuments.find(
    ({ uri, isClosed }) => uri.scheme === 'file' && !isClosed && realOf(uri.fsPath) === path,
  );
  return document && asOpen(document);
}

function asOpen(document: TextDocument): OpenDocument {
  return {
    get text() {
      return document.getText();
    },
    get isDirty() {
      return document.isDirty;
    },
    async replace(from, to, text) {
      const edit = new WorkspaceEdit();
      edit.replace(document.uri, new Range(document.positionAt(from), document.positionAt(to)), text);
      return workspace.applyEdit(edit);
    },
    save: async () => document.save(),
  };
}

/** Resolves links. A file that does not exist yet keeps the path that it was opened with. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
