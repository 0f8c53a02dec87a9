import type { ListingComparison } from '../../base/analysis-schema.ts';
import type { Listing } from '../conversation/contract.ts';
import { type Entry, type EntryKind, entriesOf } from './entries.ts';
import { cutLines, type DifferenceLine, differenceLine, lineDifference } from './line-difference.ts';
import { maskedText } from './masked-text.ts';

/** Two listings of one server: what is different, and whether that is more than a date. */

/**
 * From nothing to everything. `values`: only numbers, dates, identifiers or the client's own name differ; `additions`:
 * there is more than before, and what there was is as it was; `changes`: what there was is different or gone.
 */
export const weights = ['none', 'values', 'additions', 'changes'] as const;
export type Weight = (typeof weights)[number];

export interface ListingChange {
  readonly is: 'added' | 'removed' | 'changed';
  readonly kind: EntryKind;
  /** As the server gave it; empty for the instructions. */
  readonly name: string;
  /** Which fields, for `changed`. */
  readonly fields: readonly string[];
  readonly weight: Exclude<Weight, 'none'>;
}

export interface ListingDifference {
  readonly isSame: boolean;
  readonly weight: Weight;
  /** The gravest first; at most 200. */
  readonly changes: readonly ListingChange[];
  /** How many changes are not in the list. */
  readonly moreChanges: number;
  readonly difference: readonly DifferenceLine[];
}

export interface CompareOptions {
  /** Words that a server may repeat to the client that said them: the names of both identities. */
  readonly echoes?: readonly string[];
}

const mostLines = 400;
const mostLinesOfField = 120;
const mostChanges = 200;

interface Compared {
  readonly change: ListingChange;
  readonly lines: () => readonly DifferenceLine[];
}

function headline({ kind, name }: Entry, field?: string): string {
  const what = kind === 'instructions' ? kind : `${kind} ${JSON.stringify(name)}`;
  return field === undefined || kind === 'instructions' ? what : `${what}, ${field}:`;
}

function whole(is: 'added' | 'removed', entry: Entry): Compared {
  const { kind, name, fields } = entry;
  // Instructions steer every tool: their coming is a change of what was there.
  const weight = is === 'added' && kind !== 'instructions' ? 'additions' : 'changes';
  return {
    change: { is, kind, name, fields: [], weight },
    lines: () => [
      differenceLine(is, headline(entry)),
      ...[...fields].flatMap(([field, text]) => {
        const lines = lineDifference(is === 'added' ? '' : text, is === 'added' ? text : '', mostLinesOfField);
        return [differenceLine(is, `  ${field}:`), ...lines.filter((line) => line.is === is)];
      }),
    ],
  };
}

/** Strings of a schema may carry a date; its numbers are limits, and a limit that moves is a change. */
function maskField(field: string, text: string, echoes: readonly string[]): string {
  const isSchema = field === 'inputSchema' || field === 'outputSchema' || field === 'annotations';
  if (!isSchema) return maskedText(text, echoes);
  return text
    .split('\n')
    .map((line) => (line.endsWith('"') || line.endsWith('",') ? maskedText(line, echoes) : line))
    .join('\n');
}

function compareEntries(before: Entry, after: Entry, echoes: readonly string[]): Compared[] {
  const all = [...new Set([...before.fields.keys(), ...after.fields.keys()])].toSorted();
  const fields = all.filter((field) => before.fields.get(field) !== after.fields.get(field));
  if (fields.length === 0) return [];
  const isVaried = fields.every((field) => {
    const [first, second] = [before.fields.get(field), after.fields.get(field)];
    if (first === undefined || second === undefined) return false;
    return maskField(field, first, echoes) === maskField(field, second, echoes);
  });
  const { kind, name } = after;
  return [
    {
      change: { is: 'changed', kind, name, fields, weight: isVaried ? 'values' : 'changes' },
      lines: () =>
        fields.flatMap((field) => [
          differenceLine('same', headline(after, field)),
          ...lineDifference(before.fields.get(field) ?? '', after.fields.get(field) ?? '', mostLinesOfField),
        ]),
    },
  ];
}

export function compareListings(before: Listing, after: Listing, options: CompareOptions = {}): ListingDifference {
  const [first, second] = [entriesOf(before), entriesOf(after)];
  const echoes = options.echoes ?? [];
  const keys = [...new Set([...first.keys(), ...second.keys()])].toSorted();
  const compared = keys.flatMap((key): Compared[] => {
    const [old, fresh] = [first.get(key), second.get(key)];
    if (old === undefined) return fresh === undefined ? [] : [whole('added', fresh)];
    return fresh === undefined ? [whole('removed', old)] : compareEntries(old, fresh, echoes);
  });
  const rank = ({ change }: Compared): number => weights.indexOf(change.weight);
  const gravest = compared.toSorted((left, right) => rank(right) - rank(left));
  const lines: DifferenceLine[] = [];
  for (const each of gravest) {
    if (lines.length > mostLines) break;
    lines.push(...each.lines());
  }
  return {
    isSame: compared.length === 0,
    weight: gravest[0]?.change.weight ?? 'none',
    changes: gravest.slice(0, mostChanges).map(({ change }) => change),
    moreChanges: Math.max(0, gravest.length - mostChanges),
    difference: cutLines(lines, mostLines),
  };
}

/** As a report keeps it. */
export function asComparison(id: string, title: string, compared: ListingDifference): ListingComparison {
  return { id, title, isSame: compared.isSame, difference: [...compared.difference] };
}
