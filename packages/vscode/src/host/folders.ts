import { type Memento, type WorkspaceFolder, window, workspace } from 'vscode';

/** The folder that the agent works in. */
export interface Folders {
  /** With several folders, the user is asked once, and again if the chosen folder has left the workspace. */
  current(): Promise<WorkspaceFolder | undefined>;
  /** Asks again. True if another folder was chosen. */
  choose(): Promise<boolean>;
}

const key = 'loopfuse.folder';

export function createFolders(state: Memento): Folders {
  let asking: Promise<WorkspaceFolder | undefined> | undefined;
  const onDisk = () => (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const stillThere = (address: string | undefined) => onDisk().find(({ uri }) => uri.toString() === address);
  const kept = () => stillThere(state.get<string>(key));
  /** The folder used if the user chose none. It must not change with the active file. */
  let instead: WorkspaceFolder | undefined;

  async function ask(): Promise<WorkspaceFolder | undefined> {
    const items = onDisk().map((folder) => ({ folder, label: folder.name, description: folder.uri.fsPath }));
    const chosen = await window.showQuickPick(items, {
      title: 'Loopfuse',
      placeHolder: 'Which folder should the agent work in?',
    });
    if (chosen !== undefined) await state.update(key, chosen.folder.uri.toString());
    return chosen?.folder;
  }

  /** The folder of the active file, or else the first. */
  function likely(): WorkspaceFolder | undefined {
    const open = window.activeTextEditor?.document.uri;
    const here = open && workspace.getWorkspaceFolder(open);
    return here?.uri.scheme === 'file' ? here : onDisk()[0];
  }

  return {
    async current() {
      const all = onDisk();
      if (all.length <= 1) return all[0];
      const known = kept();
      if (known !== undefined) return known;
      if (instead !== undefined && stillThere(instead.uri.toString()) !== undefined) return instead;
      asking ??= ask();
      const chosen = await asking;
      asking = undefined;
      if (chosen !== undefined) return chosen;
      instead = likely();
      return instead;
    },
    async choose() {
      const before = kept()?.uri.toString();
      const chosen = await ask();
      return chosen !== undefined && chosen.uri.toString() !== before;
    },
  };
}
