import { posix } from 'node:path';
import type { Event } from '../../../../base/event-schema.ts';
import { asArray, asObject, asString } from '../../../../base/json-shape.ts';

/** Fields of events as text and paths, for comparison. What is not there or has another shape is undefined. */

export function fieldText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const { text, base64 } = asObject(value);
  if (typeof text === 'string') return text;
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64').toString('latin1') : undefined;
}

export function argvOf({ fields, process }: Event): readonly string[] {
  const own = asArray(fields.argv);
  return (own.length > 0 ? own : (process?.argv ?? [])).map((word) => fieldText(word) ?? '');
}

export function programOf(event: Event): string {
  return posix.basename(fieldText(event.fields.path) ?? '');
}

/** Dots resolved. One that stays relative loses its way up, so that `../../x/y` is compared as `/x/y`. */
export function pathOf(value: unknown): string | undefined {
  const text = fieldText(value);
  if (text === undefined || text === '') return undefined;
  const plain = posix.normalize(text).replace(/(?<=.)\/$/, '');
  return plain.replace(/^(?:\.\.\/)+/, '/');
}

export function isAt(path: string | undefined, place: string): boolean {
  return path !== undefined && (path === place || path.startsWith(`${place}/`));
}

const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/;

/** An IPv4 address in the clothes of IPv6 is the same address. */
export function plainAddress(value: unknown): string | undefined {
  const address = asString(value)
    ?.toLowerCase()
    .replace(/^\[|\]$/g, '');
  const [, dotted, high, low] = mapped.exec(address ?? '') ?? [];
  if (dotted !== undefined) return dotted;
  if (high === undefined || low === undefined) return address;
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [first >> 8, first & 255, second >> 8, second & 255].join('.');
}

export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false;
  return /^127\.\d+\.\d+\.\d+$/.test(address) || ['::1', '0.0.0.0', '::', 'localhost'].includes(address);
}
