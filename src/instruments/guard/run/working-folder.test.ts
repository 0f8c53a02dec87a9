import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FileRule } from '../../../base/policy-schema.ts';
import { chooseWorkingFolder } from './working-folder.ts';

const above = mkdtempSync(join(tmpdir(), 'working-'));
const [folder, beside] = [join(above, 'here'), join(above, 'beside')];
mkdirSync(join(folder, 'dir'), { recursive: true });
mkdirSync(beside);
writeFileSync(join(folder, 'file.txt'), '');
afterAll(() => rmSync(above, { recursive: true, force: true }));

const own = '/opt/server';
const ownRule: FileRule = { path: own, access: 'execute' };
const show = (path: string): FileRule => ({ path, access: 'write' });

interface Case {
  readonly says: string;
  readonly shows: readonly FileRule[];
  readonly words?: readonly string[];
  readonly canEnter?: boolean;
  readonly cwd: string | undefined;
  /** What each problem is about, and what it advises. */
  readonly problems?: readonly RegExp[];
}

const cases: readonly Case[] = [
  { says: 'the folder itself is shown', shows: [ownRule, show(folder)], words: ['./dir', 'file.txt'], cwd: folder },
  { says: 'one above it is shown', shows: [ownRule, show(above)], words: ['dir'], cwd: folder },
  { says: 'one below it is shown', shows: [ownRule, show(join(folder, 'dir'))], words: ['./dir'], cwd: folder },
  { says: 'nothing of it is shown', shows: [ownRule], words: ['--port', '80', 'nowhere'], cwd: own },
  { says: 'a namesake beside it is shown', shows: [ownRule, show(`${folder}2`)], cwd: own },
  { says: 'what is shown below it is not there', shows: [ownRule, show(join(folder, 'gone'))], cwd: own },
  { says: 'not even its own folder is shown', shows: [], cwd: undefined },
  {
    says: 'a word names something that is not shown',
    shows: [ownRule],
    words: ['./dir', '--log=file.txt', '-', '/etc', ''],
    cwd: own,
    problems: [/\.\/dir.*--read or --write/, /file\.txt.*--read or --write/],
  },
  {
    says: 'one word is shown and another is not',
    shows: [ownRule, show(join(folder, 'dir'))],
    words: ['dir', 'file.txt'],
    cwd: folder,
    problems: [/file\.txt.*--read or --write/],
  },
  {
    says: 'the user of the box may not enter it',
    shows: [ownRule, show(folder)],
    words: ['dir'],
    canEnter: false,
    cwd: own,
    problems: [/dir.*may not enter/],
  },
  {
    says: 'only something beside it is shown',
    shows: [ownRule, show(beside)],
    words: ['../beside'],
    cwd: own,
    problems: [/beside.*full path/],
  },
];

describe('the folder that a server is started in', () => {
  it.each(cases)('where $says', ({ shows, words = [], canEnter = true, cwd, problems = [] }) => {
    const server = { argv: ['/usr/bin/node', `${own}/main.js`, ...words], cwd: own, callerFolder: folder };
    const chosen = chooseWorkingFolder({ server, policy: { files: [...shows] }, canEnter: () => canEnter });
    expect(chosen).toEqual({ cwd, problems: problems.map((each) => expect.stringMatching(each)) });
  });

  it('is its own where nobody said where it was called', () => {
    const server = { argv: ['node', './dir'], cwd: own };
    const chosen = chooseWorkingFolder({ server, policy: { files: [ownRule] }, canEnter: () => true });
    expect(chosen).toEqual({ cwd: own, problems: [] });
  });
});
