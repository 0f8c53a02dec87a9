import { safeName } from '../samples/paths.ts';
import type { SampleRoom } from '../samples/room.ts';
import type { Inner } from './inner-files.ts';
import type { ToolOutcome } from './run-tools.ts';

/** What does not fit into an answer is kept in the output folder, below the beginning of the sample's digest. */

export interface SaveOrder {
  readonly room: SampleRoom;
  readonly sha256: string;
  readonly signal: AbortSignal;
}

export function folderOf(sha256: string): string {
  return sha256.slice(0, 16);
}

const atOnce = 4;

async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += atOnce) {
    results.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))));
  }
  return results;
}

/** Where each inner file was put. */
export async function saveInner(inner: readonly Inner[], order: SaveOrder): Promise<ReadonlyMap<string, string>> {
  const { room, sha256, signal } = order;
  const saved = await inTurns(inner, async (file) => {
    const { path } = await room.addChild({
      name: file.name,
      bytes: file.bytes,
      digest: file.sha256,
      how: `${file.how}${file.way.length === 0 ? '' : ` in ${file.way.join(' > ')}`}`,
      parent: sha256,
      folder: `${folderOf(sha256)}/inner`,
      signal,
    });
    return [file.sha256, path] as const;
  });
  return new Map(saved);
}

export async function saveDocument(name: string, content: Uint8Array, how: string, order: SaveOrder): Promise<string> {
  const { path } = await order.room.add({
    name: safeName(name),
    source: content,
    how,
    parent: order.sha256,
    folder: folderOf(order.sha256),
    into: 'output',
    isOverwriteAllowed: true,
    signal: order.signal,
  });
  return path;
}

/** Files that tools wrote, and outputs that are longer than what is shown. */
export async function saveOutputs(
  outcomes: readonly ToolOutcome[],
  shownBytes: (id: string) => number,
  order: SaveOrder,
): Promise<readonly ToolOutcome[]> {
  return inTurns(outcomes, async (outcome) => {
    const { run, stdout, made } = outcome;
    for (const { name, bytes } of made) {
      const flat = name.replaceAll('/', '~');
      await saveDocument(`${run.id}~${flat}`, bytes, `written by ${run.id}`, order);
    }
    const budget = shownBytes(run.id);
    if (stdout.length <= budget) return outcome;
    const path = await saveDocument(`${run.id}.txt`, stdout, `output of ${run.id}`, order);
    return { ...outcome, run: { ...run, output: run.output.slice(0, budget), saved_to: path } };
  });
}
