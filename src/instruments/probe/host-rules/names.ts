import { createHash } from 'node:crypto';
import { UsageError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';

/** Names that go into rules. Each is checked or made of what is harmless; none is taken as it was given. */

const show = (text: string): string => JSON.stringify(forTerminal(untrusted(text, 80)));

const networkPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** A name as the engine allows it; it begins with a letter or a digit, so it is never taken for a flag. */
export function checkedNetwork(name: string): string {
  if (networkPattern.test(name)) return name;
  throw new UsageError(`${show(name)} is no name of a network`, {
    hint: 'letters, digits, and _ . - after the first of them',
  });
}

const interfacePattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}$/;

export function checkedInterface(name: string): string {
  if (interfacePattern.test(name) && name !== 'lo') return name;
  throw new UsageError(`${show(name)} is no name of a bridge`, { hint: 'such as docker0 or br-1f0c2d3e4b5a' });
}

const fingerprintPattern = /^[0-9a-f]{64}$/;

export function checkedFingerprint(text: string): string {
  if (fingerprintPattern.test(text)) return text;
  throw new UsageError(`${show(text)} is no fingerprint of a scope`);
}

const plainPattern = /^[a-z0-9_]{1,40}$/;

function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** The same name always leads to the same table, and two names never to one. */
export function tableName(name: string): string {
  if (plainPattern.test(name)) return `hotcell_egress_${name}`;
  const readable = name.replace(/[^A-Za-z0-9]+/g, '_').slice(0, 30);
  return `hotcell_egress_${readable}_${digest(name, 12)}`;
}

/** Chains of iptables have at most 28 characters, so that a readable name does not fit. */
export function chainPrefix(name: string): string {
  return `HOTCELL-${digest(name, 12)}`;
}
