import { expect, it } from 'vitest';
import { placeOf } from './place.ts';

it.each([
  ['http://127.0.0.1:8080/a', 'http://127.0.0.1:8080/a'],
  ['https://h/a%20b?c=d', 'https://h/a%20b?c=d'],
  ['https://h/a b', 'https://h/a%20b'],
  ['127.0.0.1:22', 'tcp://127.0.0.1:22'],
  ['[::1]:22', 'tcp://[::1]:22'],
  ['http://h/\ud800', 'http://h/%EF%BF%BD'],
])('%s is %s', (at, path) => {
  expect(placeOf(at)).toEqual({ path });
});
