import type { VNode } from 'preact';
import type { Facts } from '../../protocol/index.js';
import { useServices } from '../host.js';
import { Icon } from './icon.js';

const ideas = [
  'Explain how this project is organised.',
  'Find out why a test fails, and fix it.',
  'Write a test for the file I name.',
] as const;

/** The content of an empty conversation. */
export function Welcome({ facts }: { readonly facts: Facts }): VNode {
  const { show } = useServices();
  return (
    <div class="welcome">
      <Icon name="bolt" />
      <h2>What would you like to do?</h2>
      <p>Ask about this folder, or ask for a change.</p>
      <p class="about">
        {facts.guard === 'off'
          ? 'The loop guard is off: loops are not detected.'
          : 'The loop guard watches. If the agent goes in circles, the guard stops it, says why, and asks you what to do.'}
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
