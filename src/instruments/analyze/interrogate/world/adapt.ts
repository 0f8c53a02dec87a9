import { describeError } from '../../../../base/errors.ts';
import type { Event } from '../../../../base/event-schema.ts';
import type { Cell } from '../../../../engine/cell/index.ts';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import type { World } from '../arguments/index.ts';
import { isConfinedByHome } from './home-files.ts';
import { runInBox } from './in-box.ts';
import { type Learnt, learnFrom, type Use } from './learn.ts';
import { restoreWorld } from './restore.ts';
import { token } from './token.ts';

/** A world for each tool: where a server keeps to a root of its own, the same is planted there as in the planted one. */

export interface AdaptedTool {
  readonly tool: string;
  readonly world: World;
  /** For `Hints.likely`. */
  readonly likely: Learnt['likely'];
}

export interface AdaptedWorld {
  readonly tools: readonly AdaptedTool[];
  /** True when the target read a setting that told it to keep to the planted root; undefined when nothing is known. */
  readonly isConfined?: true;
  /** What could not be planted, in words of ours. */
  readonly problems: readonly string[];
}

const mostRoots = 4;
const plantTimeoutMs = 20_000;

interface Ground {
  readonly root: string;
  readonly ending: string;
  readonly names: readonly string[];
}

async function putMissing(cell: Cell, path: string, content: string): Promise<void> {
  const isThere = await cell.box.get(path, 1).then(
    () => true,
    () => false,
  );
  if (!isThere) await cell.box.put(path, Buffer.from(content), 0o644);
}

/** The planted root's neighbours and way out, for another root. */
async function plantAt(cell: Cell, world: World, { root, ending, names }: Ground): Promise<World> {
  const canary = token();
  const sibling = `${root}_old/ledger${ending === '' ? '.txt' : ending}`;
  const text = `${root}/notes${ending === '' ? '.txt' : ending}`;
  const nested = `${root}/docs/readme${ending === '' ? '.md' : ending}`;
  await cell.box.put(sibling, Buffer.from(`old ledger ${canary}\n`), 0o644);
  for (const path of [text, nested, ...names.map((name) => `${root}/${name}`)]) {
    await putMissing(cell, path, 'buy milk\ncall Anna about the report\n');
  }
  const link = `${root}/shortcut${ending === '' ? '.txt' : ending}`;
  const { code } = await runInBox(cell, ['/bin/ln', '-sfn', '--', world.outsideFile, link], plantTimeoutMs);
  return {
    ...world,
    root,
    files: { ...world.files, text, nested },
    folder: `${root}/docs`,
    sibling: { path: sibling, canary },
    ...(code === 0 ? { link: { path: link, canary: world.outsideCanary, target: world.outsideFile } } : {}),
  };
}

export interface Seen {
  readonly tools: readonly ListedTool[];
  readonly uses: readonly Use[];
  /** From the start of the server to the end of its honest calls. */
  readonly events: readonly Event[];
}

export async function adaptWorld(cell: Cell, world: World, { tools, uses, events }: Seen): Promise<AdaptedWorld> {
  const learnt = learnFrom(world, tools, uses, events);
  const problems: string[] = [];
  await restoreWorld(cell, world).catch((cause: unknown) => {
    problems.push(`what honest calls changed cannot be put back: ${describeError(cause)}`);
  });
  const worlds = new Map<string, World>();
  for (const { root, ending, names } of learnt) {
    if (root === undefined || worlds.has(`${root}\n${ending}`) || worlds.size >= mostRoots) continue;
    try {
      worlds.set(`${root}\n${ending}`, await plantAt(cell, world, { root, ending, names }));
    } catch (cause) {
      problems.push(`cannot plant beside the server's own folder: ${describeError(cause)}`);
    }
  }
  return {
    tools: learnt.map(({ tool, root, ending, likely }) => ({
      tool,
      world: worlds.get(`${root ?? ''}\n${ending}`) ?? world,
      likely,
    })),
    ...(isConfinedByHome(cell.box.folders.home, events) ? { isConfined: true as const } : {}),
    problems,
  };
}
