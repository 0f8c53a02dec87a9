import { resolve } from 'node:path';
import { exitCodes } from '../../../base/errors.ts';
import { describeDatabase, importDatabase, updateDatabase } from '../../../instruments/analyze/scan/index.ts';
import type { Door } from '../definition.ts';
import { formatJson } from '../terminal/index.ts';
import { Progress } from './progress.ts';

interface Wishes {
  readonly json: boolean;
}

type Meta = NonNullable<ReturnType<typeof describeDatabase>>;

function show(meta: Meta, { json }: Wishes, { stdout, terminal }: Door): void {
  const { records, ecosystems, newestRecord, importedAt } = meta;
  const text = `${terminal.style.strong(String(records))} advisories for ${ecosystems.join(', ')}, the newest of ${newestRecord ?? 'unknown'}, imported ${importedAt}\n`;
  stdout.write(json ? formatJson(meta) : text);
}

async function withProgress(door: Door, work: (progress: Progress) => Promise<Meta>): Promise<Meta> {
  const isTerminal = door.errorTerminal.width !== Number.POSITIVE_INFINITY;
  const progress = new Progress(door.stderr, isTerminal, door.errorTerminal);
  try {
    return await work(progress);
  } finally {
    progress.close();
  }
}

export async function runUpdate(wishes: Wishes, door: Door): Promise<number> {
  const { home } = door.settings.values;
  const work = (progress: Progress): Promise<Meta> =>
    updateDatabase({ home, now: new Date(), onProgress: (what) => progress.say(what) });
  show(await withProgress(door, work), wishes, door);
  return exitCodes.clean;
}

export async function runImport(wishes: Wishes, words: readonly string[], door: Door): Promise<number> {
  const { home } = door.settings.values;
  const paths = words.map((word) => resolve(door.caller.folder, word));
  const work = (progress: Progress): Promise<Meta> =>
    importDatabase(paths, { home, now: new Date(), onProgress: (what) => progress.say(what) });
  show(await withProgress(door, work), wishes, door);
  return exitCodes.clean;
}

export async function runStatus(wishes: Wishes, door: Door): Promise<number> {
  const meta = describeDatabase(door.settings.values.home);
  if (meta === undefined) {
    door.stdout.write(
      wishes.json ? 'null\n' : 'no advisories are kept on this machine; hotcell db update fetches them\n',
    );
    return exitCodes.incomplete;
  }
  show(meta, wishes, door);
  return exitCodes.clean;
}
