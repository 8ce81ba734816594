import type { VNode } from 'preact';
import type { Facts } from '../../protocol/index.js';
import { useServices } from '../host.js';
import { Icon } from './icon.js';

const ideas = [
  'Explain how this project is put together.',
  'Find out why a test fails, and mend it.',
  'Write a test for the file I name.',
] as const;

/** What stands there before anything has been said. */
export function Welcome({ facts }: { readonly facts: Facts }): VNode {
  const { show } = useServices();
  return (
    <div class="welcome">
      <Icon name="bolt" />
      <h2>What shall we do?</h2>
      <p>Ask about this folder, or have something changed in it.</p>
      <p class="about">
        {facts.guard === 'off'
          ? 'The loop guard is off: nobody notices when the agent goes in circles.'
          : 'The loop guard watches. When the agent goes in circles, it stops, says why, and asks you.'}
      </p>
      <ul>
        {ideas.map((text) => (
          <li key={text}>
            <button type="button" class="idea" onClick={() => show({ type: 'idea', text })}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
