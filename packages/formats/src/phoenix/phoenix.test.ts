import { describe, it } from 'vitest';
import { expectExported } from '../testing/exported-lines.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('phoenix', import.meta.url, { prefix: false });

describe('phoenix', () => {
  it.each(['records.jsonl', 'columns.json', 'api.json', 'nested.json'])(
    'reads the same events however it was exported: %s',
    async (file) => void (await expectExported(import.meta.url, file, 'chat-77')),
  );
});
