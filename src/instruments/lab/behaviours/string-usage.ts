import { UsageError } from '../../../base/errors.ts';
import { type Layout, pieceAt, readLayout } from './layout.ts';
import { type Reference, scanReferences } from './references.ts';
import { findPlaces, type StringPlace } from './string-matches.ts';

export const usageStatuses = ['referenced', 'pointer-only', 'no-reference-found', 'not-analysable'] as const;
export type UsageStatus = (typeof usageStatuses)[number];

export interface UsageOptions {
  readonly maxMatches?: number;
  /** The packer that an analyser named: what is not found in a packed file proves nothing. */
  readonly packer?: string | null;
  readonly isManaged?: boolean;
  readonly tick?: () => void;
}

export interface StringUsage {
  readonly value: string;
  readonly exact: boolean;
  readonly encoding: StringPlace['encoding'];
  readonly found_at: readonly {
    readonly offset: string;
    readonly vaddr: string | null;
    readonly section: string | null;
  }[];
  readonly xref_status: UsageStatus;
  readonly xref_count: number;
  readonly data_pointer_found: boolean;
  readonly xref_sources: readonly { readonly vaddr: string; readonly section: string; readonly form: string }[];
  readonly note: string;
  readonly recommended_followup: string;
}

export interface UsageReport {
  readonly query: string;
  readonly is_code_file: boolean;
  readonly engine: 'hotcell-static';
  readonly machine: string | null;
  readonly packer_detected: string | null;
  readonly analysis_complete: boolean;
  readonly basis: string;
  readonly match_count: number;
  readonly matches_truncated: boolean;
  readonly matches: readonly StringUsage[];
  readonly note: string;
}

export const usageLimits = { matches: 50, mostMatches: 500, sources: 10, queryLength: 1000 } as const;

const hex = (value: number): string => `0x${value.toString(16)}`;

interface Found {
  readonly code: Reference[];
  readonly pointers: Reference[];
  codeCount: number;
}

/** Both the start of the whole string and the place of the query: code may point into the middle. */
function addressesOf(layout: Layout, { start, queryStart }: StringPlace): readonly number[] {
  return [...new Set([start, queryStart])].flatMap((offset) => {
    const piece = pieceAt(layout, offset);
    return piece === undefined ? [] : [piece.address + offset - piece.offset];
  });
}

function search(
  bytes: Uint8Array,
  layout: Layout,
  places: readonly StringPlace[],
  tick: () => void,
): { found: Found[]; canReadCode: boolean } {
  const found = places.map((): Found => ({ code: [], pointers: [], codeCount: 0 }));
  const groups = new Map<number, number>();
  for (const [at, place] of places.entries()) for (const address of addressesOf(layout, place)) groups.set(address, at);
  const canReadCode = scanReferences(bytes, layout, {
    groupOf: (address) => groups.get(address),
    onCode: (group, reference) => {
      const one = found[group];
      if (one === undefined) return;
      one.codeCount += 1;
      if (one.code.length < usageLimits.sources) one.code.push(reference);
    },
    onPointer: (group, reference) => {
      const one = found[group];
      if (one !== undefined && one.pointers.length < usageLimits.sources) one.pointers.push(reference);
    },
    tick,
  });
  return { found, canReadCode };
}

const notes: Readonly<Record<UsageStatus, string>> = {
  referenced: 'Instructions name the address of this string. What they do with it has to be read.',
  'pointer-only': 'A table in data points to this string; no instruction names it directly.',
  'no-reference-found':
    'Nothing names the address of this string in the forms that are searched. It may be left over, or be reached by computation.',
  'not-analysable': 'Whether code uses this string cannot be told from the file.',
};

const followUps: Readonly<Record<UsageStatus, string>> = {
  referenced: 'Disassemble around the listed addresses before a behaviour is claimed.',
  'pointer-only': 'Find who reads the table: tables of messages, commands and configuration look the same from here.',
  'no-reference-found':
    'Do not report a behaviour from this string alone. A disassembler with full analysis can find computed references.',
  'not-analysable': 'Decompile or unpack first, or watch the program in a box.',
};

function describe(
  place: StringPlace,
  layout: Layout | undefined,
  found: Found | undefined,
  cannot: string | null,
): StringUsage {
  const piece = layout === undefined ? undefined : pieceAt(layout, place.start);
  const code = found?.code ?? [];
  const pointers = found?.pointers ?? [];
  const positive: UsageStatus | undefined =
    code.length > 0 ? 'referenced' : pointers.length > 0 ? 'pointer-only' : undefined;
  const status = positive ?? (piece === undefined || cannot !== null ? 'not-analysable' : 'no-reference-found');
  const reason = cannot ?? (piece === undefined ? 'the string lies in no part of the file that is loaded' : null);
  return {
    value: place.value,
    exact: place.isExact,
    encoding: place.encoding,
    found_at: [
      {
        offset: hex(place.start),
        vaddr: piece === undefined ? null : hex(piece.address + place.start - piece.offset),
        section: piece?.name ?? null,
      },
    ],
    xref_status: status,
    xref_count: found?.codeCount ?? 0,
    data_pointer_found: pointers.length > 0,
    xref_sources: [...code, ...pointers]
      .slice(0, usageLimits.sources)
      .map(({ address, section, form }) => ({ vaddr: hex(address), section, form })),
    note: status === 'not-analysable' && reason !== null ? `${notes[status]} Reason: ${reason}.` : notes[status],
    recommended_followup: followUps[status],
  };
}

function obstacle(
  layout: Layout | undefined,
  canReadCode: boolean,
  { packer, isManaged }: UsageOptions,
): string | null {
  if (layout === undefined) return 'the file is no PE or ELF program';
  if (isManaged) return 'managed code names its strings by number, not by address';
  if (packer) return 'the program is packed, so its code is not in the file';
  return canReadCode ? null : 'instructions of this machine are not read';
}

/** Which code uses a string, by reading alone: no disassembler, no emulation. */
export function findStringUsage(bytes: Uint8Array, query: string, options: UsageOptions = {}): UsageReport {
  if (query === '' || query.length > usageLimits.queryLength) {
    throw new UsageError(`the query has to have 1 to ${usageLimits.queryLength} characters`);
  }
  const most = Math.max(1, Math.min(options.maxMatches ?? usageLimits.matches, usageLimits.mostMatches));
  const layout = readLayout(bytes);
  const { places, hasMore } = findPlaces(bytes, query, most);
  const searched =
    layout === undefined || places.length === 0 ? undefined : search(bytes, layout, places, options.tick ?? (() => {}));
  const cannot = obstacle(layout, searched?.canReadCode ?? layout?.machine !== 'other', options);
  return {
    query,
    is_code_file: layout !== undefined,
    engine: 'hotcell-static',
    machine: layout?.machine ?? null,
    packer_detected: options.packer ?? null,
    analysis_complete: cannot === null && !hasMore,
    basis: 'Addresses spelled out in instructions and pointers in data; addresses that code computes are not seen.',
    match_count: places.length,
    matches_truncated: hasMore,
    matches: places.map((place, at) => describe(place, layout, searched?.found[at], cannot)),
    note:
      places.length === 0
        ? 'The text is not in the file in plain ASCII, UTF-8 or UTF-16. It may be encoded, or made while running.'
        : (cannot ?? ''),
  };
}
