import { describe, expect, it } from 'vitest';
import { endFields } from './ending.ts';

describe('endFields', () => {
  it.each([
    [0, { code: 0 }],
    [256, { code: 1 }],
    [0xff00, { code: 255 }],
    [9, { signal: 'SIGKILL' }],
    [139, { signal: 'SIGSEGV' }],
    [40, { signal: 'signal-40' }],
    [null, { signal: 'unknown' }],
  ])('%j', (status, fields) => {
    expect(endFields(status)).toEqual(fields);
  });
});
