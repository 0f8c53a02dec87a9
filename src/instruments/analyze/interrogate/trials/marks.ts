import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type World, worldNames } from '../arguments/world.ts';

/**
 * What one trial is known by. The payload gets two numbers, two halves and a name; the marker is their product or the
 * halves joined, so that an echo of the payload, in whatever form, does not hold it.
 */

export interface Marks {
  /** For the holes of payloads. The product is not among them. */
  readonly names: Readonly<Record<string, string>>;
  readonly product: string;
  /** Where an injected command leaves its file. */
  readonly files: { readonly product: string; readonly joined: string };
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** The product stays below 2^31, which is as far as the integers of some databases go. */
const [lowest, highest] = [10_007, 46_337] as const;
const depth = 12;

function shown(world: World): Readonly<Record<string, string>> {
  const { sibling, link, redirect } = world;
  return {
    ...(sibling === undefined ? {} : { siblingTail: sibling.path.split('/').slice(-2).join('/') }),
    ...(link === undefined ? {} : { linkTarget: link.target, linkTail: posix.relative(world.root, link.path) }),
    ...(redirect === undefined ? {} : { redirectPort: String(redirect.port) }),
    outsideTail: world.outsideFile.replace(/^\/+/, ''),
  };
}

const ways: Readonly<Record<string, string>> = {
  up: '../'.repeat(depth).slice(0, -1),
  upTwice: '....//'.repeat(depth).slice(0, -2),
  upBackslash: '..\\'.repeat(depth).slice(0, -1),
  upEncoded: '%2e%2e%2f'.repeat(depth).slice(0, -3),
  upEncodedTwice: '%252e%252e%252f'.repeat(depth).slice(0, -5),
  upEncodedSlash: '..%2f'.repeat(depth).slice(0, -3),
};

/** The names that are the same for all trials of a world. */
export function sharedNames(world: World): Readonly<Record<string, string>> {
  return { ...worldNames(world), ...shown(world), ...ways };
}

function lettersOf(bytes: Buffer): string {
  return Array.from(bytes, (byte) => letters[byte % letters.length] ?? '').join('');
}

/** There are thousands of trials: one hash of the seed has bytes enough for all marks of one. */
export function makeMarks(seed: string, world: World, shared: Readonly<Record<string, string>>, honest: string): Marks {
  const bytes = createHash('sha512').update(seed).digest();
  const a = lowest + (bytes.readUInt32LE(0) % (highest - lowest));
  const b = lowest + (bytes.readUInt32LE(4) % (highest - lowest));
  const left = lettersOf(bytes.subarray(8, 18));
  const right = lettersOf(bytes.subarray(18, 28));
  const token = `q${lettersOf(bytes.subarray(28, 41))}`;
  const port = world.loopback?.port ?? 20_000 + (bytes.readUInt16LE(41) % 12_000);
  const product = String(a * b);
  return {
    names: { ...shared, a: String(a), b: String(b), left, right, token, port: String(port), honest },
    product,
    files: { product: `${world.temporary}/hc${product}`, joined: `${world.temporary}/hc${left}${right}` },
  };
}

/** Every token that was planted, by the name that the files of classes use. */
export function secretsOf(world: World): Readonly<Record<string, string | undefined>> {
  return {
    outside: world.outsideCanary,
    entry: world.outsideEntry,
    sibling: world.sibling?.canary,
    linked: world.link?.canary,
    loopback: world.loopback?.canary,
    database: world.databaseCanary,
    large: world.large?.canary,
  };
}
