import { expect, test } from 'vitest';
import { closeCall, dropCall, type OpenCall, openCall } from './open-calls.js';

const read = { id: undefined, tool: 'read', input: { path: 'a.ts' } };
const list = { id: undefined, tool: 'list', input: { path: 'a.ts' } };

test('a result without an id is that of the oldest open call of the same tool and input', () => {
  const open: OpenCall[] = [];
  const ids = [openCall(open, read, 1), openCall(open, list, 2), openCall(open, read, 3)];
  expect([closeCall(open, read), closeCall(open, list), closeCall(open, read)]).toEqual([ids[0], ids[1], ids[2]]);
  expect(closeCall(open, read)).toBeUndefined();
});

test('a call that has an id keeps it, and is not remembered', () => {
  const open: OpenCall[] = [];
  expect(openCall(open, { ...read, id: 'x' }, 1)).toBe('x');
  expect(open).toEqual([]);
  expect(closeCall(open, { ...read, id: 'x' })).toBe('x');
});

test('a refused call is forgotten, and no other', () => {
  const open: OpenCall[] = [];
  const [first, second] = [openCall(open, read, 1), openCall(open, read, 2)];
  dropCall(open, first);
  dropCall(open, 'a call that is not open');
  expect(closeCall(open, read)).toBe(second);
});

test('calls of tools whose names begin alike are told apart, and so are those of one tool', () => {
  const open: OpenCall[] = [];
  const long = 'x'.repeat(200);
  openCall(open, { ...read, tool: `${long}a` }, 1);
  openCall(open, read, 2);
  expect(closeCall(open, { ...read, tool: `${long}b` })).toBeUndefined();
  expect(closeCall(open, { ...read, input: { path: 'b.ts' } })).toBeUndefined();
});

test('calls whose results never come do not pile up: the oldest is forgotten', () => {
  const open: OpenCall[] = [];
  for (let k = 0; k < 200; k++) openCall(open, { ...read, input: { path: `${k}.ts` } }, k);
  expect(open).toHaveLength(64);
  expect(closeCall(open, { ...read, input: { path: '0.ts' } })).toBeUndefined();
  expect(closeCall(open, { ...read, input: { path: '199.ts' } })).toBe('call-199');
});
