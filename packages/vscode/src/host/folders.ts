import { type Memento, type WorkspaceFolder, window, workspace } from 'vscode';

/** The folder that the agent works in. */
export interface Folders {
  /** With several folders the person is asked, once; again where the one they chose has left the workspace. */
  current(): Promise<WorkspaceFolder | undefined>;
  /** Asks again. True where another one was chosen. */
  choose(): Promise<boolean>;
}

const key = 'loopfuse.folder';

export function createFolders(state: Memento): Folders {
  let asking: Promise<WorkspaceFolder | undefined> | undefined;
  const onDisk = () => (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const stillThere = (address: string | undefined) => onDisk().find(({ uri }) => uri.toString() === address);
  const kept = () => stillThere(state.get<string>(key));
  /** Where the person did not choose: it must not change with the file that they look at. */
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

  /** Where the person is working just now, or else the first. */
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
