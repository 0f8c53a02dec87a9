import { UsageError } from '../../base/errors.ts';
import { checkNumber, checkPath, show } from './checks.ts';
import type { PlaceEntry } from './contract.ts';
import { compareNames, readDescribed, readListing, toBinary } from './entries.ts';
import { largestListingBytes } from './limits.ts';
import type { Ask } from './remote-ask.ts';
import { listNames, makeFolderAt, realPathOf, statMany, statOne } from './scripts.ts';

const describedAtOnce = 400;
const largestList = 1_000_000;

export async function statThere(ask: Ask, path: string, signal: AbortSignal | undefined): Promise<PlaceEntry | null> {
  checkPath(path);
  const { stdout } = await ask(`look at ${show(path)}`, statOne, [path], { signal });
  const text = stdout.toString('latin1');
  if (text === 'none') return null;
  const [entry] = readDescribed(text, [toBinary(path)]);
  if (entry === undefined) return null;
  return { ...entry, name: path.replace(/\/+$/, '').split('/').at(-1) ?? '' };
}

export async function realPathThere(ask: Ask, path: string, signal: AbortSignal | undefined): Promise<string | null> {
  checkPath(path);
  const { stdout } = await ask(`resolve ${show(path)}`, realPathOf, [path], { signal });
  return stdout.length === 0 ? null : stdout.toString('utf8');
}

export async function listThere(
  ask: Ask,
  path: string,
  most: number,
  signal: AbortSignal | undefined,
): Promise<{ entries: readonly PlaceEntry[]; hasMore: boolean }> {
  checkPath(path);
  checkNumber('the number of entries', most, 1, largestList);
  const options = { signal, maxOutputBytes: largestListingBytes };
  const once = String(Math.min(most, describedAtOnce));
  const { stdout } = await ask(`list ${show(path)}`, listNames, [path, once], options);
  const binary = stdout.toString('latin1');
  const listing = readListing(binary);
  if (listing === undefined) {
    const what = binary === 'file' ? 'it is no folder' : 'there is nothing';
    throw new UsageError(`cannot list ${show(path)}: ${what}`);
  }
  const { names, described } = listing;
  const hasMore = names.length > most;
  const entries: PlaceEntry[] = [];
  if (described !== undefined) entries.push(...readDescribed(described, names));
  else {
    const wanted = names.toSorted(compareNames).slice(0, most);
    for (let at = 0; at < wanted.length; at += describedAtOnce) {
      const batch = wanted.slice(at, at + describedAtOnce);
      const asText = batch.map((name) => Buffer.from(name, 'latin1').toString('utf8'));
      const { stdout: more } = await ask(`list ${show(path)}`, statMany, [path, ...asText], options);
      entries.push(...readDescribed(more.toString('latin1'), batch));
    }
  }
  return {
    entries: entries.toSorted((left, right) => compareNames(toBinary(left.name), toBinary(right.name))),
    hasMore,
  };
}

export async function makeFolderThere(ask: Ask, path: string, signal: AbortSignal | undefined): Promise<void> {
  const entry = await statThere(ask, path, signal);
  if (entry !== null && entry.type !== 'folder' && entry.type !== 'link') {
    throw new UsageError(`cannot make the folder ${show(path)}: something else has the name`);
  }
  await ask(`make the folder ${show(path)}`, makeFolderAt, [path], { signal });
}
