import { randomBytes } from 'node:crypto';
import { HostError } from '../../../../base/errors.ts';
import type { Cell } from '../../../../engine/cell/index.ts';
import type { World } from '../arguments/index.ts';

/** Makes the world of an interrogation inside a box: what a tool may use, and what only one that is misled can reach. */

const token = (): string => `c${randomBytes(12).toString('hex')}`;
const setUpTimeoutMs = 20_000;

/** What only a program in the box can make: links. */
async function makeLink(cell: Cell, from: string, to: string): Promise<void> {
  const child = await cell.box.spawn(['/bin/ln', '-s', from, to], { signal: AbortSignal.timeout(setUpTimeoutMs) });
  child.stdin.end();
  child.stdout.resume();
  child.stderr.resume();
  const { code } = await child.exited;
  if (code !== 0) throw new HostError(`cannot make a link in the box: ln ended with ${code}`);
}

export interface PlantedWorld {
  readonly world: World;
  /** Puts the link in place; needs a box in which programs can be started. */
  finish(cell: Cell): Promise<void>;
}

/** The files are there before anything runs. */
export async function plantWorld(cell: Cell, variables: Readonly<Record<string, string>>): Promise<PlantedWorld> {
  const { home, tmp } = cell.box.folders;
  const root = `${home}/workspace`;
  const outsideFolder = `${home}/private-${token().slice(0, 8)}`;
  const canaries = { outside: token(), entry: token(), sibling: token() };
  const outsideFile = `${outsideFolder}/ledger.txt`;
  const sibling = `${root}_old/ledger.txt`;
  const files: Readonly<Record<string, string>> = {
    [`${root}/notes.txt`]: 'buy milk\ncall Anna about the report\n',
    [`${root}/docs/readme.md`]: '# Readme\n\nA small project.\n',
    [`${root}/data/table.csv`]: 'name,amount\nalpha,1\nbeta,2\n',
    [`${root}/data/config.json`]: '{"name":"demo","enabled":true}\n',
    [outsideFile]: `private ledger ${canaries.outside}\n`,
    [`${outsideFolder}/${canaries.entry}.txt`]: 'nothing\n',
    [sibling]: `old ledger ${canaries.sibling}\n`,
    [`${tmp}/trials/.keep`]: '',
  };
  for (const [path, text] of Object.entries(files)) await cell.box.put(path, Buffer.from(text), 0o644);
  const linkPath = `${root}/shortcut.txt`;
  return {
    world: {
      root,
      files: {
        text: `${root}/notes.txt`,
        nested: `${root}/docs/readme.md`,
        csv: `${root}/data/table.csv`,
        json: `${root}/data/config.json`,
        md: `${root}/docs/readme.md`,
      },
      folder: `${root}/docs`,
      outsideFile,
      outsideCanary: canaries.outside,
      outsideFolder,
      outsideEntry: canaries.entry,
      sibling: { path: sibling, canary: canaries.sibling },
      link: { path: linkPath, canary: canaries.outside, target: outsideFile },
      temporary: `${tmp}/trials`,
      url: 'http://pages.example/article',
      domain: 'probe.example',
      variables,
    },
    finish: (ready) => makeLink(ready, outsideFile, linkPath),
  };
}
