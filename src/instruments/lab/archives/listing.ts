import type { EntryType, ListedEntry } from './contract.ts';

/** Reads what `7z l -slt` prints. Names come on one line each; comments may imitate everything else. */

export interface ParsedListing {
  readonly format: string | null;
  readonly entries: readonly ListedEntry[];
  readonly isSolid: boolean;
  readonly isHeaderEncrypted: boolean;
  readonly comment: string | null;
  readonly volumeIndex: number | null;
  readonly isMultiVolume: boolean;
  /** 7-Zip's own remarks on the archive. */
  readonly remarks: readonly string[];
}

type Fields = ReadonlyMap<string, string>;

const separator = '----------';
const mostCommentCharacters = 4_000;
const linkFields = ['Symbolic Link', 'Hard Link', 'Copy Link'] as const;
const typeOfMode: Readonly<Record<string, EntryType>> = {
  l: 'link',
  d: 'folder',
  c: 'device',
  b: 'device',
  p: 'device',
  s: 'device',
};

export function parseListing(lines: readonly string[], trueNames: readonly string[] | null): ParsedListing {
  const start = lines.indexOf('--');
  const end = lines.indexOf(separator, start);
  const head = start === -1 ? [] : lines.slice(start + 1, end === -1 ? undefined : end);
  const fields = readFields(head);
  // A comment can draw the separator too: where one could have, everything after the head's own path is looked through.
  const records = end === -1 ? [] : readRecords(lines.slice(trueNames === null ? end + 1 : start + 2));
  const entries = (trueNames === null ? records : alignRecords(records, trueNames)).map(readEntry);
  const comment = fields.get('Comment') ?? '';
  const types = head.filter((line) => line.startsWith('Type = ')).map((line) => line.slice(7));
  return {
    format: types.at(0)?.toLowerCase() ?? null,
    entries,
    isSolid: fields.get('Solid') === '+',
    isHeaderEncrypted: false,
    comment: comment === '' ? null : comment.slice(0, mostCommentCharacters),
    volumeIndex: readNumber(fields.get('Volume Index')),
    isMultiVolume: fields.get('Multivolume') === '+',
    remarks: ['ERROR', 'ERRORS', 'WARNING', 'WARNINGS'].flatMap((key) => {
      const said = fields.get(key) ?? fields.get(`${key}:`);
      return said === undefined || said === '' ? [] : [said];
    }),
  };
}

/** True when a comment of several lines stands in it: what follows such a line may be the comment's own invention. */
export function hasLongComment(lines: readonly string[]): boolean {
  return lines.includes('{');
}

/** Names of the plain listing: one line per entry, comments are not in it. */
export function parsePlainNames(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => (plainLine.test(line) ? [line.slice(nameColumn)] : []));
}
const nameColumn = 53;
const plainLine = /^(?:[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}|\s{19}) [A-Z.]{5} /;

function readFields(lines: readonly string[]): Fields {
  const fields = new Map<string, string>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const cut = line.indexOf(' = ');
    const key = cut === -1 ? line.replace(/ =$/, '') : line.slice(0, cut);
    if (key === '' || fields.has(key)) continue;
    if (lines[at + 1] === '{') {
      const close = lines.indexOf('}', at + 2);
      fields.set(key, lines.slice(at + 2, close === -1 ? undefined : close).join('\n'));
      at = close === -1 ? lines.length : close;
    } else fields.set(key, cut === -1 ? '' : line.slice(cut + 3));
  }
  return fields;
}

function readRecords(lines: readonly string[]): readonly Fields[] {
  const starts = lines.flatMap((line, at) =>
    line.startsWith('Path = ') && ['', separator].includes(lines[at - 1] ?? '') ? [at] : [],
  );
  return starts.map((start, index) => readFields(lines.slice(start, starts[index + 1])));
}

/** Only records that bear the next true name count; what a comment made up in between is passed over. */
function alignRecords(records: readonly Fields[], names: readonly string[]): readonly Fields[] {
  let at = 0;
  const kept = records.filter((record) => {
    if (record.get('Path') !== names[at]) return false;
    at += 1;
    return true;
  });
  return kept;
}

function readNumber(text: string | undefined): number | null {
  const value = Number(text);
  return text !== undefined && text !== '' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function readTime(text: string | undefined): { readonly modifiedAt?: string } {
  const match = /^([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9:]{8})/.exec(text ?? '');
  const time = new Date(match === null ? Number.NaN : `${match[1]}T${match[2]}`);
  return Number.isNaN(time.getTime()) ? {} : { modifiedAt: time.toISOString() };
}

function readEntry(fields: Fields): ListedEntry {
  const mode = (fields.get('Mode') ?? fields.get('Attributes') ?? '').split(' ').at(-1) ?? '';
  const linkTarget = linkFields.map((key) => fields.get(key) ?? '').find((target) => target !== '');
  const isFolder = fields.get('Folder') === '+' || /^D/.test(fields.get('Attributes') ?? '');
  const ofMode = mode.length === 10 ? (typeOfMode[mode[0] ?? ''] ?? 'file') : 'file';
  const method = fields.get('Method') ?? '';
  return {
    name: fields.get('Path') ?? '',
    type: linkTarget !== undefined ? 'link' : isFolder ? 'folder' : ofMode,
    sizeBytes: readNumber(fields.get('Size')) ?? 0,
    packedBytes: readNumber(fields.get('Packed Size')),
    isEncrypted: fields.get('Encrypted') === '+',
    ...readTime(fields.get('Modified')),
    ...(method === '' ? {} : { method }),
    ...(linkTarget === undefined ? {} : { linkTarget }),
  };
}
