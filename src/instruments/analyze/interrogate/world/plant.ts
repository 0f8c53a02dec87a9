import { HostError } from '../../../../base/errors.ts';
import type { Cell } from '../../../../engine/cell/index.ts';
import type { World } from '../arguments/index.ts';
import { ordinaryFiles, plantedTable } from './files.ts';
import { homeFiles } from './home-files.ts';
import { runInBox, shellWord } from './in-box.ts';
import { type LoopbackService, startLoopback } from './loopback.ts';
import { pagesHost, planWorld, probeDomain, type WorldPlan } from './plan.ts';
import { token } from './token.ts';

/** Makes the world of an interrogation inside a box: what a tool may use, and what only one that is misled can reach. */

const setUpTimeoutMs = 30_000;
/** Programs without which some payloads mean nothing. */
const askedPrograms = ['pwsh', 'cmd.exe', 'mongosh', 'php', 'ruby'] as const;

export interface PlantedWorld extends AsyncDisposable {
  /** What is there before anything runs. */
  readonly world: World;
  /** The service on the box's loopback, where there is one. */
  readonly loopback: LoopbackService | null;
  /**
   * Makes what only a program in the box can make (the link, a repository) and looks which programs it has. Returns the
   * world with all of it; needs a box in which programs can be started.
   */
  finish(cell: Cell): Promise<World>;
  close(): Promise<void>;
}

/** Git may be missing, a link may not. */
function finishScript(world: World, git: string): string {
  const { link } = world;
  if (link === undefined) return 'true';
  const author = '-c user.name=Ann -c user.email=ann@example.com -c commit.gpgsign=false -c init.defaultBranch=main';
  const add = `git ${author} -C ${shellWord(git)}`;
  const programs = askedPrograms.map((name) => `command -v ${name} >/dev/null 2>&1 && echo program:${name}`);
  return [
    `ln -s ${shellWord(link.target)} ${shellWord(link.path)} || exit 1`,
    `if command -v git >/dev/null 2>&1; then ${add} init -q . && ${add} add -A && ${add} commit -q -m 'Add notes' && echo git; fi >&1 2>/dev/null`,
    ...programs,
    'exit 0',
  ].join('\n');
}

async function finish(cell: Cell, world: World, git: string): Promise<World> {
  const { code, stdout, stderr } = await runInBox(cell, ['/bin/sh', '-c', finishScript(world, git)], setUpTimeoutMs);
  if (code !== 0) throw new HostError(`cannot make a link in the box: sh ended with ${code}: ${stderr.slice(-200)}`);
  const lines = stdout.split('\n');
  const programs = lines.flatMap((line) => /^program:(.+)$/.exec(line)?.[1] ?? []);
  return { ...world, programs, ...(lines.includes('git') ? { git } : {}) };
}

/**
 * The files are there before anything runs. The plan is the one whose `fake` the cell was opened with; without it there
 * are no pages that redirect or never end.
 */
export async function plantWorld(
  cell: Cell,
  variables: Readonly<Record<string, string>>,
  plan?: WorldPlan,
): Promise<PlantedWorld> {
  const { canaries, loopbackPort, redirectUrl, rebindingHost, large } = plan ?? planWorld();
  const { home, tmp } = cell.box.folders;
  const root = `${home}/workspace`;
  const outsideFolder = `${home}/private-${token().slice(0, 8)}`;
  const outsideFile = `${outsideFolder}/ledger.txt`;
  const sibling = `${root}_old/ledger.txt`;
  const git = `${root}/project`;
  const ordinary = ordinaryFiles(canaries.database);
  const files: Record<string, Buffer> = {
    [outsideFile]: Buffer.from(`private ledger ${canaries.outside}\n`),
    [`${outsideFolder}/${canaries.entry}.txt`]: Buffer.from('nothing\n'),
    [sibling]: Buffer.from(`old ledger ${canaries.sibling}\n`),
    [`${tmp}/trials/.keep`]: Buffer.alloc(0),
    [`${git}/notes.txt`]: Buffer.from('a project\n'),
  };
  const byKind: Record<string, string> = {};
  for (const { path, kinds, content } of ordinary) {
    files[`${root}/${path}`] = content;
    for (const kind of kinds) byKind[kind] = `${root}/${path}`;
  }
  for (const { path, content } of homeFiles(home, { root, home, tmp })) files[path] = content;
  await cell.box.putAll(Object.entries(files).map(([path, content]) => ({ path, content })));
  const loopback = await startLoopback(cell, loopbackPort, canaries.loopback);
  const world: World = {
    root,
    files: { ...byKind, text: `${root}/notes.txt`, nested: `${root}/docs/readme.md` },
    folder: `${root}/docs`,
    outsideFile,
    outsideCanary: canaries.outside,
    outsideFolder,
    outsideEntry: canaries.entry,
    sibling: { path: sibling, canary: canaries.sibling },
    link: { path: `${root}/shortcut.txt`, canary: canaries.outside, target: outsideFile },
    temporary: `${tmp}/trials`,
    url: `http://${pagesHost}/article`,
    domain: probeDomain,
    database: `${root}/data/notes.db`,
    databaseCanary: canaries.database,
    table: plantedTable,
    variables,
    ...(loopback === null ? {} : { loopback: { port: loopback.port, canary: loopback.canary } }),
    ...(plan === undefined ? {} : { large: { ...large, canary: canaries.large } }),
    ...(plan === undefined || loopback === null
      ? {}
      : { redirect: { url: redirectUrl, port: loopback.port }, rebindingHost }),
  };
  const close = async (): Promise<void> => loopback?.close();
  return { world, loopback, finish: (ready) => finish(ready, world, git), close, [Symbol.asyncDispose]: close };
}
