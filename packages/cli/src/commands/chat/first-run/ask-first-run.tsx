import { render } from 'ink';
import { type ReactNode, useSyncExternalStore } from 'react';
import type { Shell } from '../../../shell.js';
import { openKeyboard } from '../../../terminal/keys/keyboard.js';
import { Frame, Lines, PageContext } from '../view/lines.js';
import { pageOf } from '../view/page.js';
import { type Choice, type FirstRun, type KnownBefore, pressInFirstRun, startFirstRun } from './first-run.js';
import { firstRunLines } from './first-run-lines.js';

/** Asks for the missing settings at a terminal. `undefined` if the user leaves. */
export async function askFirstRun(known: KnownBefore, shell: Shell): Promise<Choice | undefined> {
  const { stdin, stdout, stderr } = shell.streams;
  const listeners = new Set<() => void>();
  let state = startFirstRun(known);
  let done = (_: Choice | undefined) => {};
  const answer = new Promise<Choice | undefined>((resolve) => {
    done = resolve;
  });
  const questions: Questions = {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const show = (next: FirstRun) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const onResize = () => show({ ...state });
  const screen = render(<FirstRunView questions={questions} shell={shell} />, {
    ...{ stdin, stdout, stderr },
    exitOnCtrlC: false,
  });
  stdout.on('resize', onResize);
  const keyboard = openKeyboard(stdin, stdout, (key) => {
    const after = pressInFirstRun(state, key);
    if (after === 'leave') return done(undefined);
    if (!('step' in after)) return done(after);
    show(after);
  });
  try {
    return await answer;
  } finally {
    keyboard.close();
    stdout.off('resize', onResize);
    screen.rerender(null); // the chat begins where the questions stood
    screen.unmount();
  }
}

interface Questions {
  readonly get: () => FirstRun;
  readonly subscribe: (listener: () => void) => () => void;
}

function FirstRunView({ questions, shell }: { readonly questions: Questions; readonly shell: Shell }): ReactNode {
  const run = useSyncExternalStore(questions.subscribe, questions.get);
  const page = pageOf(shell, shell.streams.stdout);
  return (
    <PageContext.Provider value={page}>
      <Frame colour="cyan">
        <Lines lines={firstRunLines(run, page)} />
      </Frame>
    </PageContext.Provider>
  );
}
