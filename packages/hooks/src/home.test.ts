import { userInfo } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { homeOf } from './home.js';

afterEach(() => vi.unstubAllEnvs());

test('where HOME is empty, the home folder is not the folder of the project', () => {
  vi.stubEnv('HOME', '');
  vi.stubEnv('USERPROFILE', '');
  expect(homeOf({ HOME: '' })).toBe(userInfo().homedir);
  expect(homeOf({ HOME: '/home/ada' })).toBe('/home/ada');
});
