import { TargetError, UsageError } from '../../base/errors.ts';
import { parseCheckpoint, parseKeptCheckpoint, type SignedCheckpoint } from './checkpoint.ts';
import { isBadLine, readLine } from './line.ts';
import { checkNote } from './note.ts';
import { listCheckpoints } from './notes-reader.ts';
import {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  type LeafRange,
  RangeRoots,
  rootOfInclusion,
} from './proof.ts';
import { parsePublicKeys } from './public-keys.ts';
import type { ConsistencyProof, InclusionProof, ProofVerdict } from './report.ts';
import { Frontier, hashLeaf, hashLeafInPlace } from './tree.ts';
import { walkLines } from './walk.ts';

/** Proofs out of the files, and their verification without them. */

interface Pass {
  readonly roots: readonly string[];
  readonly line: string | null;
}

/** One pass over the first `size` entries. */
async function passOver(
  folder: string,
  size: number,
  ranges: readonly LeafRange[],
  wanted: number | null,
): Promise<Pass> {
  const collected = new RangeRoots(ranges);
  let [count, line]: [number, string | null] = [0, null];
  await walkLines(folder, (block, start, end) => {
    if (count >= size) return false;
    if (count === wanted) line = block.buffer.toString('utf8', start, end);
    collected.take(count, hashLeafInPlace(block.buffer, start, end));
    count += 1;
    return true;
  });
  if (count < size)
    throw new TargetError(`the log has ${count} entries, not ${size}`, { hint: 'hotcell audit verify' });
  return { roots: collected.roots(), line };
}

async function rootsAt(folder: string, sizes: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const roots = new Map<number, string>();
  const tree = new Frontier();
  const wanted = new Set(sizes);
  const last = Math.max(...sizes);
  if (wanted.has(0)) roots.set(0, tree.root());
  await walkLines(folder, (block, start, end) => {
    if (tree.size >= last) return false;
    tree.push(hashLeafInPlace(block.buffer, start, end));
    if (wanted.has(tree.size)) roots.set(tree.size, tree.root());
    return true;
  });
  return roots;
}

async function countEntries(folder: string): Promise<number> {
  let count = 0;
  await walkLines(folder, () => {
    count += 1;
    return true;
  });
  return count;
}

/** Against the newest checkpoint, or against all there is when none covers the entry. */
export async function proveInclusion(folder: string, sequence: number): Promise<InclusionProof> {
  if (!Number.isSafeInteger(sequence) || sequence < 0)
    throw new UsageError('a sequence number is whole and not below 0');
  let checkpoint: SignedCheckpoint | null = null;
  for await (const { note } of listCheckpoints(folder)) checkpoint = parseCheckpoint(note);
  if (checkpoint !== null && checkpoint.size <= sequence) checkpoint = null;
  const size = checkpoint?.size ?? (await countEntries(folder));
  if (sequence >= size) throw new UsageError(`the log has ${size} entries: the last one is ${size - 1}`);
  const { roots: path, line } = await passOver(folder, size, inclusionRanges(sequence, size), sequence);
  if (line === null) throw new TargetError(`entry ${sequence} is not there`);
  const leaf = hashLeaf(line);
  const root = rootOfInclusion(sequence, size, leaf, path) ?? '';
  if (checkpoint !== null && checkpoint.root !== root) {
    throw new TargetError('the entries are not those that the newest checkpoint was signed for', {
      hint: 'hotcell audit verify',
    });
  }
  return { sequence, size, root, line, leaf, path, checkpoint: checkpoint?.written ?? null };
}

const holds: ProofVerdict = { holds: true, why: null };

function fails(why: string): ProofVerdict {
  return { holds: false, why };
}

/** Why a note does not vouch for this size and root; null when it does. Without keys only what it says is looked at. */
function noteFault(
  written: string | null,
  size: number,
  root: string,
  publicKeys: readonly string[] | undefined,
): string | null {
  if (written === null) return publicKeys === undefined ? null : 'there is no signed checkpoint in the proof';
  const checkpoint = parseCheckpoint(written);
  if (checkpoint === null) return 'the checkpoint in the proof is no signed note';
  if (checkpoint.size !== size || checkpoint.root !== root)
    return 'the checkpoint in the proof is for another size or root';
  if (publicKeys === undefined) return null;
  const { good, wrong } = checkNote(checkpoint.note, parsePublicKeys(publicKeys.join('\n')));
  return good.length > 0 && wrong.length === 0
    ? null
    : 'the checkpoint in the proof is not signed by a key that is trusted';
}

const isHash = (text: unknown): boolean => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);

export function verifyInclusion(proof: InclusionProof, publicKeys?: readonly string[]): ProofVerdict {
  const { sequence, size, root, line, leaf, path, checkpoint } = proof;
  if (![root, leaf, ...path].every(isHash)) return fails('the proof has something in it that is no hash');
  if (hashLeaf(line) !== leaf) return fails('the line is not the one that the proof is about');
  const reading = readLine(Buffer.from(line));
  if (isBadLine(reading) || reading.sequence !== sequence) return fails(`the line is not entry ${sequence}`);
  if (rootOfInclusion(sequence, size, leaf, path) !== root) return fails('the path does not lead to the root');
  const fault = noteFault(checkpoint, size, root, publicKeys);
  return fault === null ? holds : fails(fault);
}

interface Head {
  readonly size: number;
  readonly note: SignedCheckpoint | null;
}

function headOf(asked: number | string): Head {
  const note = typeof asked === 'string' && !/^\d+$/.test(asked) ? parseKeptCheckpoint(asked) : null;
  const size = note?.size ?? Number(asked);
  if (!Number.isSafeInteger(size) || size < 0) throw new UsageError('a size is a whole number, or a signed note');
  return { size, note };
}

/** From an older size, or a note that was kept, to a newer one; to everything there is when none is named. */
export async function proveConsistency(
  folder: string,
  older: number | string,
  newer?: number | string,
): Promise<ConsistencyProof> {
  const old = headOf(older);
  const recent = newer === undefined ? { size: await countEntries(folder), note: null } : headOf(newer);
  if (old.size > recent.size)
    throw new UsageError(`${old.size} is newer than ${recent.size}: the older one comes first`);
  const [oldSize, newSize] = [old.size, recent.size];
  const { roots: path } = await passOver(folder, newSize, consistencyRanges(oldSize, newSize), null);
  const roots = await rootsAt(folder, [oldSize, newSize]);
  let [oldCheckpoint, newCheckpoint] = [old.note?.written ?? null, recent.note?.written ?? null];
  for await (const { size, note } of listCheckpoints(folder)) {
    if (size === oldSize) oldCheckpoint ??= note;
    if (size === newSize) newCheckpoint ??= note;
  }
  // A note that was kept says what the root was; when it is another one now, the proof must not hold.
  const oldRoot = old.note?.root ?? roots.get(oldSize) ?? '';
  const newRoot = recent.note?.root ?? roots.get(newSize) ?? '';
  return { oldSize, oldRoot, newSize, newRoot, path, oldCheckpoint, newCheckpoint };
}

export function verifyConsistency(proof: ConsistencyProof, publicKeys?: readonly string[]): ProofVerdict {
  const { oldSize, oldRoot, newSize, newRoot, path } = proof;
  if (![oldRoot, newRoot, ...path].every(isHash)) return fails('the proof has something in it that is no hash');
  const isProven = isConsistent({ size: oldSize, root: oldRoot }, { size: newSize, root: newRoot }, path);
  if (!isProven) return fails('the older log is not the beginning of the newer one');
  const fault =
    noteFault(proof.oldCheckpoint, oldSize, oldRoot, publicKeys) ??
    noteFault(proof.newCheckpoint, newSize, newRoot, publicKeys);
  return fault === null ? holds : fails(fault);
}
