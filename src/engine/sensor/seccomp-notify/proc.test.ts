import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseChildren,
  parseEndedStat,
  parseStatus,
  readChildren,
  readCurrentCall,
  readName,
  readProgramMark,
  readStatus,
} from './proc.ts';

const ended = (name: string, state: string, code: number): string =>
  `77 (${name}) ${state} ${Array.from({ length: 48 }, () => '0').join(' ')} ${code}\n`;

describe('parseEndedStat', () => {
  it.each([
    [ended('sh', 'Z', 256), 256],
    [ended('a) Z 1 (b', 'Z', 9), 9],
    [ended(') S 0', 'X', 0), 0],
    [ended('sh', 'S', 256), null],
    ['', null],
    ['77 (sh) Z', null],
  ])('%j', (text, status) => {
    expect(parseEndedStat(text)).toBe(status);
  });
});

describe('parseStatus', () => {
  it.each([
    ['Name:\tsh\nTgid:\t12\nNgid:\t0\nPid:\t13\nPPid:\t11\n', { process: 12, parent: 11 }],
    ['Name:\tTgid:\t1\\nPPid:\t1\nTgid:\t12\nPPid:\t11\n', { process: 12, parent: 11 }],
    ['Name:\tsh\n', null],
    ['', null],
  ])('%j', (text, status) => {
    expect(parseStatus(text)).toEqual(status);
  });
});

it('takes any text for what it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      parseStatus(text);
      parseEndedStat(text);
      expect(parseChildren(text).every(Number.isSafeInteger)).toBe(true);
    }),
  );
});

it('reads a process that sleeps, and nothing of one that is gone', async () => {
  const child = spawn('/bin/sleep', ['30'], { stdio: 'ignore' });
  const pid = child.pid ?? 0;
  await expect.poll(() => readName(pid).toString()).toBe('sleep');
  expect(readStatus(pid)).toEqual({ process: pid, parent: process.pid });
  expect(readChildren(process.pid)).toContain(pid);
  expect(readProgramMark(pid)).toEqual(readProgramMark(pid));
  expect(readProgramMark(pid)).not.toEqual(readProgramMark(process.pid));
  await expect.poll(() => readCurrentCall(pid)).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect([readStatus(pid), readProgramMark(pid), readCurrentCall(pid), readChildren(pid)]).toEqual([
    null,
    null,
    null,
    [],
  ]);
});
