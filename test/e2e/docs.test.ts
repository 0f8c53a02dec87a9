import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, repository } from './hotcell.ts';

/** What the README and the guides tell people to type is typed here. A `text` block after it is output that must come. */

interface Block {
  readonly file: string;
  readonly line: number;
  readonly script: string;
  readonly expected: readonly string[];
}

function readBlocks(file: string): readonly Block[] {
  const text = readFileSync(join(repository, file), 'utf8');
  const fences = [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)];
  return fences.flatMap((fence, index): readonly Block[] => {
    if (fence[1] !== 'sh run') return [];
    const next = fences[index + 1];
    const between = next === undefined ? '' : text.slice((fence.index ?? 0) + fence[0].length, next.index);
    const isFollowed = next?.[1] === 'text' && between.trim() === '';
    return [
      {
        file,
        line: text.slice(0, fence.index).split('\n').length,
        script: fence[2] ?? '',
        expected: isFollowed ? (next[2] ?? '').split('\n').filter((line) => line !== '') : [],
      },
    ];
  });
}

const guides = readdirSync(join(repository, 'docs', 'guides')).map((name) => `docs/guides/${name}`);
const blocks = ['README.md', ...guides].flatMap(readBlocks);

describe('documented commands', () => {
  let folder = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hotcell-docs-'));
    symlinkSync(join(repository, 'bin'), join(folder, 'bin'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('are there', () => {
    expect(blocks.map(({ file }) => file)).toContain('README.md');
    for (const guide of guides) expect(blocks.filter(({ file }) => file === guide).length, guide).toBeGreaterThan(2);
  });

  it.each(blocks.map((block) => [`${block.file}:${block.line}`, block] as const))(
    '%s does what it says',
    (_, block) => {
      const environment = cleanEnvironment();
      // Folders that the guide makes are made for everybody to see, as on an ordinary machine.
      const ran = spawnSync('sh', ['-eu', '-c', `umask 022; ${block.script}`], {
        cwd: folder,
        env: { ...environment, PATH: `${join(repository, 'bin')}:${environment.PATH}` },
        encoding: 'utf8',
        timeout: 170_000,
      });
      expect(ran.status, ran.stderr).toBe(0);
      for (const line of block.expected) expect(ran.stdout.split('\n')).toContain(line);
    },
  );
});

describe('the two commands of the README', () => {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const steps = readFileSync(join(repository, '.ci', 'run'), 'utf8');

  it.each(['npm run demo', 'npm run verify'])('%s is what CI runs', (command) => {
    expect(readme).toMatch(new RegExp(`^${command}\\b`, 'm'));
    expect(steps.replaceAll('--silent ', '')).toContain(command);
  });

  it('link only to files that are there', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(() => readFileSync(join(repository, link)), link).not.toThrow(/ENOENT/);
  });
});
