import type { RefObject } from 'preact';

const keys: readonly (readonly [string, string])[] = [
  ['/', 'search'],
  ['↑ ↓', 'previous, next session in the list'],
  ['Enter', 'open it'],
  ['Esc', 'back to all sessions'],
  ['[ ]', 'previous, next session'],
  ['← →', 'previous, next event'],
  ['Shift ← →', 'previous, next equal call'],
  ['+ −', 'zoom in, zoom out'],
  ['0', 'the whole session'],
  ['l', 'the next loop'],
  ['t', 'light or dark'],
  ['?', 'this page'],
];

/** The keys, and how to read the picture. */
export function Help({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) {
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title">
      <h2 id="help-title">How to use this report</h2>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <h3>How to read the picture</h3>
      <ul>
        <li>Events run from left to right, in order. Every mark is a call or a piece of text; every row is a tool.</li>
        <li>Marks of one colour are the same call. Arcs above join equal calls, arcs below join equal results.</li>
        <li>
          A red line under a mark: the call failed. An empty mark: no result was recorded, or the user declined the
          call.
        </li>
        <li>The shaded part is the loop. The triangle on top is where it was first seen.</li>
        <li>
          The filled curve shows how much was new among the last eight calls, results and texts. The dashed line rises
          with each step that brought something new or changed something; where it is flat, nothing did.
        </li>
        <li>The wheel zooms once the picture has been clicked, or with Ctrl. Drag to move.</li>
      </ul>
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
