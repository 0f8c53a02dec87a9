import { describe, expect, it } from 'vitest';
import { tokenCheck } from './token.ts';

describe('tokenCheck', () => {
  const hasToken = tokenCheck('right');
  it.each([
    ['Bearer right', true],
    ['bearer right', true],
    ['Bearer  right ', true],
    ['Bearer wrong', false],
    ['Bearer righ', false],
    ['Bearer right2', false],
    ['Bearer', false],
    ['Bearer ', false],
    ['right', false],
    ['Basic right', false],
    ['Bearer right right', false],
    ['', false],
    [undefined, false],
  ])('%s', (header, isRight) => {
    expect(hasToken(header)).toBe(isRight);
  });
});
