import type { Json } from 'loopfuse';
import { contentOf } from '../translating/content.js';
import { num, obj, parsed, str } from '../translating/json.js';

/** Output and exit code, in the forms of all versions: JSON in a string, lines before the output, objects. */
export function outcomeOf(output: Json | undefined): { text: Json; failed?: boolean } {
  const value = typeof output === 'string' ? parsed(output) : (output ?? '');
  if (typeof value === 'string') {
    const code = /^(?:Exit code|Process exited with code):? (-?\d+)$/m.exec(value.slice(0, 400))?.[1];
    return code === undefined ? { text: value } : { text: value, failed: code !== '0' };
  }
  if (Array.isArray(value)) return { text: contentOf(value) };
  const { output: inner, content, success, metadata, stdout, stderr, exitCode } = obj(value);
  const code = num(obj(metadata).exit_code) ?? num(exitCode);
  const failed = code !== undefined ? code !== 0 : typeof success === 'boolean' ? !success : undefined;
  const text =
    typeof stdout === 'string' || typeof stderr === 'string'
      ? `${str(stdout) ?? ''}${str(stderr) ?? ''}`
      : contentOf(inner ?? content ?? value);
  return failed === undefined ? { text } : { text, failed };
}
