import { allBits, joinBits } from './bits.ts';

/**
 * What has been checked about each argument on every way that leads to here. A place that no way leads to holds every
 * fact, which makes it the neutral element where ways meet.
 */
export type Facts =
  | { readonly kind: 'impossible' }
  | {
      readonly kind: 'facts';
      readonly bits: ReadonlyMap<string, number>;
      /** The tool that must have been called, when the name was compared. */
      readonly tool: string | undefined;
    };

export const noFacts: Facts = { kind: 'facts', bits: new Map(), tool: undefined };
export const impossible: Facts = { kind: 'impossible' };

export function fact(label: string, granted: number): Facts {
  return granted === 0 ? noFacts : { kind: 'facts', bits: new Map([[label, granted]]), tool: undefined };
}

export function toolFact(tool: string): Facts {
  return { kind: 'facts', bits: new Map(), tool };
}

export function bitsFor(facts: Facts, label: string): number {
  if (facts.kind === 'impossible') return allBits;
  let granted = (facts.bits.get(label) ?? 0) | (facts.bits.get('*') ?? 0);
  for (let at = label.lastIndexOf(derivation); at >= 0; at = label.lastIndexOf(derivation, at - 1)) {
    granted |= facts.bits.get(label.slice(0, at)) ?? 0;
  }
  return granted;
}

/** What is made of an argument at one place may be checked by itself: its label is the argument's and that place. */
const derivation = '~';
const mostDerivations = 12;

/** Undefined where it goes on for too long to be told apart. */
export function derivedLabel(label: string, at: number): string | undefined {
  const isDeep = label.startsWith('*') || label.split(derivation).length > mostDerivations;
  return isDeep ? undefined : `${label}${derivation}${at}`;
}

/** Parts of what was taken apart are told apart. */
export function partLabel(label: string, index: string): string {
  return label.includes(derivation) ? (derivedLabel(label, Number(index)) ?? label) : label;
}

export function argumentLabel(label: string): string {
  return label.replace(/~\d+/g, '');
}

/** Both hold. */
export function addFacts(left: Facts, right: Facts): Facts {
  if (left.kind === 'impossible' || right.kind === 'impossible') return impossible;
  if (right === noFacts || (right.bits.size === 0 && right.tool === undefined)) return left;
  if (left === noFacts) return right;
  const merged = new Map(left.bits);
  for (const [label, granted] of right.bits) merged.set(label, (merged.get(label) ?? 0) | granted);
  return { kind: 'facts', bits: merged, tool: right.tool ?? left.tool };
}

/** One of them holds. */
export function joinFacts(left: Facts, right: Facts): Facts {
  if (left === right || right.kind === 'impossible') return left;
  if (left.kind === 'impossible') return right;
  const kept = new Map<string, number>();
  for (const label of new Set([...left.bits.keys(), ...right.bits.keys()])) {
    const granted = joinBits(left.bits.get(label) ?? 0, right.bits.get(label) ?? 0);
    if (granted !== 0) kept.set(label, granted);
  }
  return { kind: 'facts', bits: kept, tool: left.tool === right.tool ? left.tool : undefined };
}

export function sameFacts(left: Facts, right: Facts): boolean {
  if (left.kind === 'impossible' || right.kind === 'impossible') return left.kind === right.kind;
  if (left.tool !== right.tool || left.bits.size !== right.bits.size) return false;
  return [...left.bits].every(([label, granted]) => right.bits.get(label) === granted);
}

export function keyOfFacts(facts: Facts): string {
  if (facts.kind === 'impossible') return '!';
  return `${facts.tool ?? ''}|${[...facts.bits].map(([label, granted]) => `${label}=${granted}`).join(',')}`;
}
