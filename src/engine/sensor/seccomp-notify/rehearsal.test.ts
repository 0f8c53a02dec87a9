import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rehearse } from './rehearsal.ts';

it('leaves nothing open behind', () => {
  const open = (): number => readdirSync('/proc/self/fd').length;
  rehearse();
  const before = open();
  rehearse();
  expect(open()).toBe(before);
});
