import { type Canary, mintCanary, type Vendor } from './canary.ts';
import type { Random } from './random.ts';

/** A decoy is something planted to be touched: a file or a variable with canaries in it. */
export interface DecoyFile {
  /** Relative to the home folder. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: number;
  readonly canaries: readonly Canary[];
}

export interface DecoyVariable {
  readonly name: string;
  readonly value: string;
  readonly canaries: readonly Canary[];
}

/** Whose home it seems to be. */
export interface Person {
  readonly user: string;
  readonly name: string;
  readonly email: string;
  readonly host: string;
  readonly company: string;
}

export interface DecoyContext {
  readonly random: Random;
  readonly now: Date;
  readonly person: Person;
}

export interface Decoys {
  readonly files: readonly DecoyFile[];
  readonly variables: readonly DecoyVariable[];
}

/** One kind of bait; in docs and reports it is known by its id. */
export interface DecoyKind {
  readonly id: string;
  readonly title: string;
  make(context: DecoyContext): Partial<Decoys>;
}

export const privateMode = 0o600;
export const publicMode = 0o644;

/** A file whose canaries know where they are; `write` gets one token per vendor. */
export function baitFile<const V extends readonly Vendor[]>(
  { random }: DecoyContext,
  path: string,
  vendors: V,
  write: (...tokens: { [K in keyof V]: string }) => string | Uint8Array,
  mode = privateMode,
): DecoyFile {
  const canaries = vendors.map((vendor) => mintCanary(vendor, random, `file ${path}`));
  const content = write(...(canaries.map(({ token }) => token) as { [K in keyof V]: string }));
  return { path, content: Buffer.from(content as Uint8Array), mode, canaries };
}

/** A file that only makes its neighbours believable. */
export function plainFile(path: string, text: string, mode = publicMode): DecoyFile {
  return { path, content: Buffer.from(text), mode, canaries: [] };
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}
