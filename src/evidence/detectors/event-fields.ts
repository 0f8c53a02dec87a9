import { posix } from 'node:path';
import type { Event } from '../../base/event-schema.ts';
import { listOf, recordOf } from '../../engine/sensor/history/index.ts';

/** Fields of events as they are, for comparison. What is not there or has another shape is undefined. */

const longest = 8192;

export function rawText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.slice(0, longest);
  const { text, base64 } = recordOf(value);
  if (typeof text === 'string') return text.slice(0, longest);
  if (typeof base64 !== 'string') return undefined;
  return Buffer.from(base64.slice(0, 2 * longest), 'base64')
    .toString('latin1')
    .slice(0, longest);
}

/** Dots resolved, without a slash at the end. */
export function pathText(value: unknown): string | undefined {
  const text = rawText(value);
  if (text === undefined || text === '') return undefined;
  const plain = text.includes('/.') || text.includes('//') ? posix.normalize(text) : text;
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}

const mostWords = 64;

/** What a program was started with, or what the process that did it runs. */
export function wordsOf({ kind, fields, process }: Event): readonly string[] {
  const own = kind === 'exec' ? listOf(fields.argv) : [];
  const words: readonly unknown[] = own.length > 0 ? own : (process?.argv ?? []);
  return words.slice(0, mostWords).map((word) => rawText(word) ?? '');
}

/** `python3.12` is python, `-bash` is bash. */
export function programName(path: string): string {
  const base = posix.basename(path).replace(/^-/, '');
  return base.replace(/^(python|pip|node|perl|ruby|php|lua)[\d.]+$/, '$1');
}

/** The program that an exec starts, or that did what the event tells. */
export function programOf(event: Event): string {
  const path = event.kind === 'exec' ? rawText(event.fields.path) : undefined;
  return programName(path ?? wordsOf(event)[0] ?? rawText(event.process?.name) ?? '');
}

export function isWriting({ fields }: Event): boolean {
  return (
    fields.access === 'write' || fields.access === 'read-write' || fields.creates === true || fields.truncates === true
  );
}

/** The path that an event writes to, by whatever way. */
export function writtenPath(event: Event): string | undefined {
  const { kind, fields } = event;
  if (kind === 'open') return isWriting(event) && fields.isFolder !== true ? pathText(fields.path) : undefined;
  if (kind === 'rename' || kind === 'link') return pathText(fields.to);
  if (kind === 'disk-change' && fields.type !== 'folder' && fields.change !== 'removed') return pathText(fields.path);
  return undefined;
}

export function isBelow(path: string, folder: string): boolean {
  return folder !== '' && (path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`));
}

export function isBelowAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isBelow(path, folder));
}
