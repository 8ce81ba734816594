import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerSchema, readAnswer } from './answer.js';

const answer = { analysis: 'It reads a.ts for the fifth time.', confidence: 0.93 };

describe('an answer', () => {
  test.each<[string, unknown]>([
    ['an object', answer],
    ['with more in it', { ...answer, usage: { inputTokens: 1 }, mood: 'good' }],
    ['JSON', JSON.stringify(answer)],
    ['JSON in a fence', `\n\`\`\`json\n${JSON.stringify(answer, undefined, 2)}\n\`\`\`\n`],
    ['JSON in a fence without a name', `\`\`\`\n${JSON.stringify(answer)}\n\`\`\``],
    ['JSON after thinking aloud', `<think>Hm. {"confidence": 2}</think>\n${JSON.stringify(answer)}`],
  ])('may be %s', (_name, value) => {
    expect(readAnswer(value)).toEqual(answer);
  });

  test.each<[string, unknown, string]>([
    ['text', 'The agent is stuck.', 'not JSON: "The agent is stuck."'],
    ['half of it', '{"analysis":"x","conf', 'not JSON'],
    ['a list', [answer], 'expected an object with analysis and confidence, got a list'],
    ['a number', '0.9', 'expected an object'],
    ['an empty text', ' \n', 'the answer is empty'],
    ['thoughts alone', '<think>It reads {"path":"a"} again.</think>', 'the answer is empty'],
    ['a refusal', 'I cannot help with {this} request.', 'not JSON: "I cannot help'],
    ['an object that it quotes', 'It calls {"path":"a"} again.', 'not JSON'],
    ['nothing', undefined, 'expected an object with analysis and confidence, got nothing'],
    ['null', 'null', 'expected an object'],
    ['without a confidence', { analysis: 'x' }, 'confidence must be a number from 0 to 1, got nothing'],
    ['without an analysis', { confidence: 1 }, 'analysis must be a text, got nothing'],
    ['with a confidence above one', { analysis: 'x', confidence: 1.01 }, 'got 1.01'],
    ['with a confidence below zero', { analysis: 'x', confidence: -0.1 }, 'got -0.1'],
    ['with more than all', { analysis: 'x', confidence: 101 }, 'got 101'],
    ['with a 9 that is neither a share nor a percentage', { analysis: 'x', confidence: 9 }, 'got 9'],
    ['with NaN', { analysis: 'x', confidence: Number.NaN }, 'got NaN'],
    ['with a number in words', { analysis: 'x', confidence: 'very' }, 'got "very"'],
  ])('is not %s', (_name, value, problem) => {
    expect(() => readAnswer(value)).toThrow(problem);
  });

  test('is read or refused with an error, whatever it is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.json(), fc.string()), (value) => {
        try {
          expect(readAnswer(value).confidence).toBeLessThanOrEqual(1);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect((error as Error).message.length).toBeLessThan(300);
        }
      }),
    );
  });

  test('is kept to a length', () => {
    expect(readAnswer({ analysis: 'x'.repeat(10_000), confidence: 0 }).analysis).toHaveLength(2000);
  });

  test('has a schema without bounds, which some providers refuse, and with analysis first', () => {
    expect(Object.keys(answerSchema.properties)).toEqual(answerSchema.required);
    expect(JSON.stringify(answerSchema)).not.toMatch(/minimum|maximum/);
  });
});

test('a long answer of line ends or fences is refused, and does not take long', () => {
  for (const unit of ['\n', '\n```', ' ', '<think>', '{', '{"', '{"a":'])
    expect(() => readAnswer(`\`\`\`json\n${unit.repeat(300_000)}x`)).toThrow('not JSON');
});

describe('an answer that is meant well', () => {
  test.each<[unknown, number]>([
    ['0.95', 0.95],
    [95, 0.95],
    ['95', 0.95],
    ['95 %', 0.95],
    ['95%', 0.95],
    ['0,95', 0.95],
    ['95,5 %', 0.955],
    [1, 1],
    ['1', 1],
  ])('a confidence of %j is %d', (confidence, meant) =>
    expect(readAnswer({ analysis: 'x', confidence }).confidence).toBeCloseTo(meant, 10),
  );

  test('prose around the JSON does no harm', () => {
    expect(readAnswer(`Sure! Here it is: ${JSON.stringify(answer)} Anything else?`)).toEqual(answer);
  });

  test.each<[string, string]>([
    ['an object that is quoted before it', `It calls {"path":"a"} again. ${JSON.stringify(answer)}`],
    ['objects around it', `{"path":"a"} ${JSON.stringify(answer)}\n{"path":"b"}`],
    ['a brace that is never closed', `if (x) { and so on. ${JSON.stringify(answer)}`],
    ['a draft', `${JSON.stringify({ analysis: 'Perhaps.', confidence: 0.4 })}\n\n${JSON.stringify(answer)}`],
    ['thoughts whose beginning is missing', `Hm, {"a": 1}?</think>\n${JSON.stringify(answer)}`],
    ['a list', JSON.stringify([answer])],
    ['another object around it', JSON.stringify({ opinion: answer })],
    [
      'a fence with words behind it',
      `\`\`\`json\n${JSON.stringify(answer, undefined, 2)}\n\`\`\`\nThe agent uses {x}.`,
    ],
  ])('%s does no harm', (_name, text) => expect(readAnswer(text)).toEqual(answer));

  test('its own braces and quotes belong to it', () => {
    const quoting = { ...answer, analysis: 'It calls {"a":"\\"}"} and } again {', more: { confidence: 0.1 } };
    expect(readAnswer(`So: ${JSON.stringify(quoting)}.`)).toEqual({ ...answer, analysis: quoting.analysis });
  });
});
