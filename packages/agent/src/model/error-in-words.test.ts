import { InvalidResponseDataError, JSONParseError, TypeValidationError } from 'ai';
import { expect, test } from 'vitest';
import { errorInWords } from './error-in-words.js';

const page = '<html>'.repeat(1000);

test.each([
  [new JSONParseError({ text: page, cause: new SyntaxError('Unexpected token <') }), 'it is not valid JSON'],
  [new TypeValidationError({ value: page, cause: new Error('no choices') }), 'it does not have the expected format'],
  [new InvalidResponseDataError({ data: undefined, message: 'It has no end.' }), 'It has no end'],
])('an answer that cannot be read is put into words, without its text: %#', (error, fault) => {
  expect(errorInWords(error)).toBe(
    `The answer of the server could not be read: ${fault}. Send the message again. If that does not help, check the address (many end with /v1).`,
  );
});

test('any other error keeps its own message', () => {
  expect(errorInWords(new Error('overloaded, come back'))).toBe('overloaded, come back');
});
