import { InvalidResponseDataError, JSONParseError, TypeValidationError } from 'ai';
import { expect, test } from 'vitest';
import { errorInWords } from './error-in-words.js';

const page = '<html>'.repeat(1000);

test.each([
  [new JSONParseError({ text: page, cause: new SyntaxError('Unexpected token <') }), 'it is no valid JSON'],
  [new TypeValidationError({ value: page, cause: new Error('no choices') }), 'it has another form'],
  [new InvalidResponseDataError({ data: undefined, message: 'It has no end.' }), 'It has no end'],
])('an answer that cannot be read is put into words, without its text: %#', (error, fault) => {
  expect(errorInWords(error)).toBe(
    `What the server sent is not the answer of a model: ${fault}. Send it again; if that does not help, see that the address is right (many end with /v1).`,
  );
});

test('any other error speaks for itself', () => {
  expect(errorInWords(new Error('overloaded, come back'))).toBe('overloaded, come back');
});
