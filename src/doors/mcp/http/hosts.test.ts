import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostName, hostRule, isHostAllowed, isLoopback, isOriginAllowed } from './hosts.ts';

const local = hostRule('127.0.0.1');
const everywhere = hostRule('0.0.0.0', ['Cell.Example', 'fd00::1']);

describe('hosts', () => {
  it.each([
    ['127.0.0.1:3000', local, true],
    ['LOCALHOST', local, true],
    ['[::1]:80', local, true],
    ['10.0.0.7', local, false],
    ['localhost.evil.example', local, false],
    ['evil.example', local, false],
    ['localhost@evil.example', local, false],
    ['localhost:80:80', local, false],
    ['', local, false],
    [undefined, local, false],
    ['10.0.0.7:3000', everywhere, true],
    ['[fd00::2]:3000', everywhere, true],
    ['cell.example', everywhere, true],
    ['[fd00::1]', everywhere, true],
    ['evil.example', everywhere, false],
  ])('%s', (host, rule, isAllowed) => {
    expect(isHostAllowed(host, rule)).toBe(isAllowed);
  });

  it.each([
    [undefined, true],
    ['http://localhost:5173', true],
    ['https://127.0.0.1', true],
    ['null', false],
    ['', false],
    ['file://', false],
    ['http://evil.example', false],
    ['http://localhost@evil.example', false],
    ['http://localhost/path', false],
    ['chrome-extension://localhost', false],
  ])('origin %s', (origin, isAllowed) => {
    expect(isOriginAllowed(origin, local)).toBe(isAllowed);
  });

  it.each([
    ['127.0.0.1', true],
    ['127.8.8.8', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['127.evil.example', false],
    ['10.0.0.1', false],
  ])('%s is of this machine alone: %s', (address, isAlone) => {
    expect(isLoopback(address)).toBe(isAlone);
  });

  it('takes no longer for anything', () => {
    fc.assert(fc.property(fc.string({ maxLength: 2000 }), (text) => void hostName(text)));
  });
});
