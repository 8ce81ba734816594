import { detectorLaws, play, type Session, session } from '@loopfuse/testkit';
import { describe, expect, test } from 'vitest';
import { rewordedCalls } from './reworded-calls.js';

const ways = [
  'Please find the annual membership prices for families of the children museum',
  'Please look up the annual membership prices of the children museum for families',
  'Find the prices of an annual family membership on the site of the children museum please',
  'On the site of the children museum, please find the annual prices of a family membership',
];
const questions = [
  'When was the harbour bridge opened to trains and cars',
  'Which birds breed on the cliffs north of the lighthouse',
  'Typical salary of a bus driver in Lisbon last year',
  'How long may cooked rice be kept without a fridge',
  'Names of all prime ministers who resigned before an election',
  'Does the museum lend wheelchairs or prams at its entrance',
  'Tensile strength of hemp rope compared with nylon rope',
  'Oldest printed map that shows both coasts of Chile',
];
/** Three words in every order: alike by chance. */
const short = ['big red cats', 'red cats big', 'cats big red', 'big cats red', 'red big cats', 'cats red big'];
const delegated = session().repeat(6, (s, k) =>
  s
    .turn()
    .call('ask_surfer', { instruction: ways[k % 4]! })
    .result(`The page ${k} of the museum was opened; it is about event ${k * 7}.`),
);

detectorLaws(() => rewordedCalls(), {
  loops: { 'a delegation in other words': delegated },
  work: {
    'other questions': session().repeat(8, (s, k) =>
      s.turn().call('search', { question: questions[k]! }).result(`author ${k}`),
    ),
    'the same file in parts': session().repeat(20, (s, k) =>
      s.turn().call('read_file', { path: 'the source of the parser and its tests.ts', offset: k }).result(`part ${k}`),
    ),
    'one order after the other': session().repeat(20, (s, k) =>
      s
        .turn()
        .call('get_order', { question: `what is the state of order number ${k} please` })
        .result(`sent ${k}`),
    ),
    'short questions': session().repeat(20, (s, k) =>
      s
        .turn()
        .call('search', { q: short[k % 6]! })
        .result(`${k} cats`),
    ),
    'the requests of the user': session().repeat(12, (s, k) =>
      s
        .prompt()
        .turn()
        .call('ask_surfer', { instruction: ways[k % 4]! })
        .result('Opened.'),
    ),
  },
  stateBytes: 2500,
});

describe('the suspicion', () => {
  const findings = (events: Session) => play([rewordedCalls()], events.events).findings.flat();

  test('comes when it was put in a few ways, and says what is asked', () => {
    const [first] = findings(delegated);
    expect(first).toMatchObject({ status: 'suspect', evidence: { tool: 'ask_surfer' } });
    expect(first!.seq).toBeLessThanOrEqual(22);
  });

  test('refuses a measure that makes no sense, quoting it', () => {
    expect(() => rewordedCalls({ enough: 0 })).toThrow('rewordedCalls: enough');
  });
});
