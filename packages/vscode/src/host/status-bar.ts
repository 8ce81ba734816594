import { type Disposable, StatusBarAlignment, ThemeColor, window } from 'vscode';
import type { GuardState } from '../protocol/index.js';

const looks: { readonly [State in GuardState]: { icon: string; words: string; colour?: string } } = {
  watching: { icon: 'shield', words: 'watching' },
  suspicious: { icon: 'eye', words: 'suspicious', colour: 'statusBarItem.warningBackground' },
  steered: { icon: 'megaphone', words: 'told the model', colour: 'statusBarItem.warningBackground' },
  halted: { icon: 'sync-ignored', words: 'halted', colour: 'statusBarItem.errorBackground' },
  off: { icon: 'circle-slash', words: 'off' },
};

/** The state of the guard in the status bar. */
export interface StatusBar extends Disposable {
  show(state: GuardState, more?: string): void;
}

export function createStatusBar(): StatusBar {
  const item = window.createStatusBarItem('loopfuse.guard', StatusBarAlignment.Right, 100);
  item.name = 'Loopfuse: loop guard';
  item.command = 'loopfuse.showLoop';
  const bar: StatusBar = {
    show(state, more) {
      const { icon, words, colour } = looks[state];
      item.text = `$(${icon}) Loopfuse: ${words}`;
      item.tooltip = more ?? `Loop guard: ${words}`;
      item.backgroundColor = colour === undefined ? undefined : new ThemeColor(colour);
      item.accessibilityInformation = { label: `Loopfuse, loop guard: ${words}`, role: 'button' };
    },
    dispose: () => item.dispose(),
  };
  bar.show('watching');
  item.show();
  return bar;
}
