import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backends } from '../../../src/engine/box/index.ts';
import { attempts } from './attempts.ts';

const folder = import.meta.dirname;
const numbers = readFileSync(join(folder, 'numbers.pl'), 'utf8');
const headers = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
} as const;

/** Name and number of each call, from a header of the kernel. */
function readHeader(path: string): ReadonlyMap<string, string> {
  const lines = readFileSync(path, 'utf8').matchAll(/^#define\s+__NR(?:3264)?_(\w+)\s+(\d+)/gm);
  return new Map([...lines].map(([, name, number]) => [name ?? '', number ?? '']));
}

function readNumbers(): readonly { name: string; x64: string; arm64: string }[] {
  const lines = numbers.matchAll(/^ {2}(\w+) => \[(\w+), (\w+)\],$/gm);
  return [...lines].map(([, name = '', x64 = '', arm64 = '']) => ({ name, x64, arm64 }));
}

describe('the attempts', () => {
  it('are at least 70, each with a name of its own', () => {
    expect(attempts.length).toBeGreaterThanOrEqual(70);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(attempts.length);
  });

  it('are all in the list', () => {
    const files = readdirSync(join(folder, 'attempts')).filter((name) => name.endsWith('.pl'));
    expect(attempts.map(({ id }) => `${id}.pl`).toSorted()).toEqual(files.toSorted());
  });

  it('say in their first line what they try, and can answer', () => {
    const silent = attempts.filter(({ what, file }) => {
      const text = readFileSync(file, 'utf8');
      const answers = /contained[(:]|escaped\(|must_fail\(|must_be_refused\(|try_\w+\(/.test(text);
      return !/^[^|`]{10,140}$/.test(what) || !text.startsWith(`# ${what}\n`) || !answers;
    });
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it('excuse nothing that a backend does not admit', () => {
    const admitted = backends.flatMap(({ id, cannot }) => cannot.map((gap) => `${id}: ${gap.id}`));
    const excused = attempts.flatMap(({ options }) =>
      Object.entries(options.gap ?? {}).map(([id, gap]) => `${id}: ${gap}`),
    );
    expect(excused.filter((excuse) => !admitted.includes(excuse))).toEqual([]);
  });

  it.for(['x64', 'arm64'] as const)('use the numbers of the kernel for %s', (architecture, context) => {
    const path = headers[architecture];
    if (!existsSync(path)) return context.skip(`${path} is not here: install linux-libc-dev`);
    const header = readHeader(path);
    const wrong = readNumbers().filter((entry) => entry[architecture] !== (header.get(entry.name) ?? 'undef'));
    expect(wrong).toEqual([]);
    expect(readNumbers().length).toBeGreaterThan(50);
  });
});
