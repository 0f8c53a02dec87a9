import { describe, expect, it } from 'vitest';
import { againOf } from '../again.ts';
import type { ScanFinding } from '../contract.ts';
import { ffufDiscover } from '../scanners/ffuf.ts';
import { findAlike } from './alike.ts';

const words = Array.from({ length: 40 }, (_, index) => (index === 0 ? '.env' : `word${'x'.repeat(index % 7)}${index}`));
const answer = (word: string, status: number, length: number): ScanFinding => ({
  url: `http://192.0.2.7/${word}`,
  word,
  status,
  length,
  words: 6,
  lines: 1,
});
const aim = {
  label: 'http://192.0.2.7/FUZZ',
  host: '192.0.2.7',
  addresses: ['192.0.2.7'],
  ports: [{ from: 80, to: 80 }],
};
const own = answer('.git/config', 200, 4711);

describe('words that are answered alike', () => {
  it.each<readonly [string, (word: string, index: number) => ScanFinding, number]>([
    ['one page for everything', (word) => answer(word, 200, 91), 40],
    ['a page that repeats what was asked for', (word) => answer(word, 200, 91 + word.length), 40],
    ['a door before everything', (word) => answer(word, 401, 24), 40],
    ['pages of their own', (word, index) => answer(word, 200, 1000 + index * 100), 0],
    ['a few that are', (word, index) => answer(word, 200, index < 20 ? 91 : 1000 + index * 100), 0],
    ['answers that are not known', (word) => ({ url: `http://192.0.2.7/${word}`, word, status: null }), 0],
  ])('%s', (_, make, expected) => {
    expect(findAlike([...words.map(make), own]).size).toBe(expected);
  });

  it('are one finding, and what differs from them is judged by its name', () => {
    const findings = ffufDiscover.judge(
      [...words.map((word) => answer(word, 200, 91)), own],
      aim,
      againOf(ffufDiscover, {}),
    );
    expect(findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual([
      'ffuf/answered-alike info',
      'ffuf/version-control medium',
    ]);
  });

  it('are said', async () => {
    const results = words.map((word) => ({
      input: { FUZZ: word },
      url: `http://192.0.2.7/${word}`,
      status: 200,
      length: 91,
      words: 6,
      lines: 1,
    }));
    const output = {
      stdout: Buffer.alloc(0),
      stderr: Buffer.alloc(0),
      outputFile: Buffer.from(JSON.stringify({ results })),
      exitCode: 0,
      isWhole: true,
    };
    const { notes } = await ffufDiscover.parse(output, aim);
    expect(notes).toEqual([expect.stringMatching(/^40 of 40 words were answered alike \(status 200\)/)]);
  });
});
