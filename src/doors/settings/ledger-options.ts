import { join } from 'node:path';
import type { CheckpointCopy, LedgerOptions } from '../../engine/ledger/report.ts';
import type { Settings } from './definitions.ts';

/** The ledger of a home, and where its checkpoints are copied to, as the settings say. */

const kinds: readonly [RegExp, (word: string) => CheckpointCopy][] = [
  [/^file:\/.+$/, (word) => ({ to: 'file', path: word.slice('file:'.length) })],
  // Stdout is often a protocol's; what is printed for people goes to stderr.
  [/^stderr$/, () => ({ to: 'stream', stream: process.stderr })],
  [/^syslog$/, () => ({ to: 'syslog' })],
  [/^syslog:\/.+$/, (word) => ({ to: 'syslog', socket: word.slice('syslog:'.length) })],
  [/^https?:\/\/[^\s,]+$/, (word) => ({ to: 'url', url: word })],
];

function wordsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '' && word !== 'none');
}

export function isCopyList(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 8192) return false;
  return wordsOf(value).every((word) =>
    kinds.some(([form]) => form.test(word) && (!word.startsWith('http') || URL.canParse(word))),
  );
}

export function ledgerFolder(home: string): string {
  return join(home, 'ledger');
}

export function ledgerOptions({
  home,
  checkpointCopies,
}: Pick<Settings, 'home' | 'checkpointCopies'>): Pick<LedgerOptions, 'folder' | 'copies'> {
  const copies = wordsOf(checkpointCopies).flatMap((word) =>
    kinds.filter(([form]) => form.test(word)).map(([, make]) => make(word)),
  );
  return { folder: ledgerFolder(home), copies };
}
