import { detectorLaws, play, session } from '@loopfuse/testkit';
import { describe, expect, test } from 'vitest';
import { staleTalk } from './stale-talk.js';

const thanks = [
  'Thank you too! It was a pleasure to plan this with you.',
  'You are most welcome. Enjoy the lake, and take care!',
  'Thanks again, and have a wonderful trip with your friends!',
  'It was my pleasure. Goodbye, and happy hiking!',
  'Goodbye! Safe travels to all of you.',
];
const replies = ['Likewise, thank you!', 'Thank you, goodbye!', 'Take care!', 'Bye, and thanks!', 'See you soon!'];
const promises = [
  'Sure, I will send the mail to the team now.',
  'Of course. Sending the mail to the team right now.',
  'Sorry for the delay, I am sending the mail now.',
  'The mail to the team will be sent right now, sorry.',
];
const answers = [
  'The ferry leaves the northern pier at nine in the morning and returns shortly before sunset, except on holidays.',
  'Hemp rope loses about a third of its strength when wet, while nylon keeps nearly all of it but stretches more.',
  'Oak takes decades to dry outdoors; builders therefore cut joints while green and let shrinkage lock every peg.',
  'Bread dough with little yeast rises overnight in a cool cellar, which gives crust, crumb and flavour more time.',
  'Migrating cranes follow rivers because thermals form along warm banks; clouds without wind make them rest.',
];

const goodbyes = session()
  .prompt('Plan a trip for two.')
  .turn()
  .text('Day one: walk from the car park to the hut. Day two: back along the lake.')
  .repeat(6, (s, k) =>
    s
      .prompt(replies[k % 5]!)
      .turn()
      .text(thanks[k % 5]!),
  )
  .prompt('Bye!');

detectorLaws(() => staleTalk(), {
  loops: {
    'goodbyes of two sides': goodbyes,
    'promises that nothing follows': session()
      .prompt('Write to the team that the meeting is at ten.')
      .repeat(7, (s, k) =>
        s
          .turn()
          .text(promises[k % 4]!)
          .prompt(['Did you?', 'Go on.', 'And?'][k % 3]),
      ),
    'the same without a word of the user': session()
      .prompt('Write to the team.')
      .repeat(7, (s, k) => s.turn().text(promises[k % 4]!))
      .turn(),
    'apologies in a script without blanks': session()
      .prompt('帮我查一下订单')
      .repeat(7, (s, k) =>
        s
          .turn()
          .text(['好的,我马上为您查询订单。', '不好意思,请稍等,马上查询。', '正在为您查询,请您稍等。'][k % 3]!)
          .prompt('好了吗'),
      ),
  },
  work: {
    'answers to questions': session().repeat(20, (s, k) =>
      s
        .prompt(`What about ${answers[(k + 2) % 5]!.split(' ', 3).join(' ')}?`)
        .turn()
        .text(`${answers[k % 5]} Answer ${k}: ${words(k)}.`),
    ),
    'calls between the announcements': session().repeat(20, (s, k) =>
      s
        .turn()
        .text('Now the next file.')
        .call('read_file', { path: `src/${k}.ts` })
        .result(`the text of file ${k}`),
    ),
    'three thanks': session().repeat(20, (s, k) =>
      s
        .repeat(3, (inner, j) => inner.prompt(replies[j]!).turn().text(thanks[j]!))
        .prompt('Look up the next one.')
        .turn()
        .call('search', { query: `the question of day ${k}` })
        .result(`what was found on day ${k}`),
    ),
  },
  stateBytes: 20_000,
});

/** Twelve words that no other number gives. */
function words(k: number): string {
  return Array.from({ length: 12 }, (_, j) => `word${String.fromCharCode(97 + k)}${String.fromCharCode(97 + j)}`).join(
    ' ',
  );
}

describe('the suspicion', () => {
  test('comes when the fourth such message is over, and is no certainty', () => {
    const { findings, watch } = play([staleTalk()], goodbyes.events);
    const prompts = goodbyes.events.flatMap(({ type }, seq) => (type === 'prompt' ? [seq] : []));
    const first = findings.flat()[0]!;
    expect(first).toMatchObject({ status: 'suspect', kind: 'monologue', seq: prompts[5] });
    expect(watch.explain(first)).toBe('4 messages without a call said hardly anything that had not been said.');
    expect(findings.flat().every(({ status }) => status === 'suspect')).toBe(true);
  });

  test('begins at the first of them', () => {
    const { findings } = play([staleTalk()], goodbyes.events);
    const texts = goodbyes.events.flatMap(({ type }, seq) => (type === 'text' ? [seq] : []));
    expect(findings.flat()[0]!.onset).toBe(texts[1]);
  });

  test('is half forgotten where either side says something new', () => {
    const talk = (news: string) =>
      session()
        .prompt('Plan a trip.')
        .turn()
        .text(answers[0]!)
        .repeat(3, (s, k) => s.prompt(replies[k]!).turn().text(thanks[k]!))
        .prompt(news)
        .turn()
        .text(thanks[3]!)
        .prompt('Bye!');
    const found = (news: string) => play([staleTalk()], talk(news).events).findings.flat().length;
    expect(found('Bye!')).toBe(1);
    expect(found(answers.join(' '))).toBe(0);
  });

  test('does not hear what the client throws away for a retry', () => {
    const retried = session()
      .prompt('Plan a trip.')
      .repeat(8, (s) => s.turn().text(thanks[0]!).retry())
      .turn();
    expect(play([staleTalk()], retried.events).findings.flat()).toEqual([]);
  });
});
