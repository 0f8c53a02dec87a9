import { asArray, isObject } from '../../../../base/json-shape.ts';
import type { LabFinding } from '../../contract.ts';
import {
  evidenceOf,
  linesOf,
  listed,
  nothingParsed,
  type ParsedOutput,
  readJson,
  type ToolParser,
  textOf,
} from './contract.ts';

const sorts = ['static', 'stack', 'tight', 'decoded'] as const;
type Sort = (typeof sorts)[number];
type Strings = Record<Sort, string[]>;

/** Together, over all sorts: what indicators are looked for in. */
const mostCharacters = 8_000_000;
const shown: Readonly<Record<Sort, number>> = { static: 100, stack: 50, tight: 50, decoded: 50 };

function fromJson(document: Record<string, unknown>): Strings {
  const strings = isObject(document.strings) ? document.strings : {};
  const read = (sort: Sort): string[] =>
    asArray(strings[`${sort}_strings`])
      .map((item) => (isObject(item) ? textOf(item.string) : textOf(item)))
      .filter((text) => text !== '');
  return { static: read('static'), stack: read('stack'), tight: read('tight'), decoded: read('decoded') };
}

/** Headings of versions 1 to 3: `FLOSS STATIC STRINGS: ASCII (12)`, `FLOSS decoded 3 strings`, `FLOSS extracted 2 stackstrings`. */
const heading =
  /^[\s|─—+-]*FLOSS (?:(static|stack|tight|decoded)\b.*strings?|(?:extracted|found) \d+ (stack|tight)strings)\b/i;

function fromText(text: string): Strings | undefined {
  const found: Strings = { static: [], stack: [], tight: [], decoded: [] };
  let current: Sort | undefined;
  let isFloss = false;
  for (const line of linesOf(text)) {
    const [whole, first, second] = heading.exec(line) ?? [];
    if (whole !== undefined) {
      const name = (first ?? second ?? '').toLowerCase();
      current = sorts.find((sort) => sort === name);
      isFloss = true;
    } else if (current !== undefined && line.trim() !== '' && !/^[\s─+|-]+$/.test(line)) {
      found[current].push(line);
    }
  }
  return isFloss ? found : undefined;
}

const told: Readonly<Record<Exclude<Sort, 'static'>, string>> = {
  decoded: 'Strings that code decodes at run time',
  stack: 'Strings that code builds on the stack',
  tight: 'Strings that code decodes in a tight loop on the stack',
};

function parse(text: string): ParsedOutput {
  const document = /^\s*\{/.test(text) ? readJson(text) : undefined;
  const strings = isObject(document) ? fromJson(document) : fromText(text);
  if (strings === undefined) return { ...nothingParsed, notes: ['floss: no strings were found in the output.'] };
  const findings = (['decoded', 'stack', 'tight'] as const).flatMap((sort): LabFinding[] => {
    if (strings[sort].length === 0) return [];
    return [
      {
        rule: `floss.${sort}-strings`,
        title: told[sort],
        severity: sort === 'decoded' ? 'medium' : 'low',
        evidenceType: 'behaviour',
        evidence: evidenceOf(`floss ${sort}`, strings[sort]),
        benign: 'Optimising compilers build short strings on the stack; licence checks hide theirs.',
        attack: ['T1027'],
        mbc: ['E1027'],
      },
    ];
  });
  const counts = Object.fromEntries(sorts.map((sort) => [sort, strings[sort].length]));
  const lists = Object.fromEntries(
    sorts.map((sort) => [
      `${sort}_strings`,
      listed(
        strings[sort].map((one) => one.slice(0, 400)),
        shown[sort],
      ),
    ]),
  );
  const texts = sorts
    .filter((sort) => strings[sort].length > 0)
    .map((sort) => ({ label: `floss ${sort} strings`, text: strings[sort].join('\n').slice(0, mostCharacters) }));
  return { facts: { string_counts: counts, ...lists }, findings, texts, notes: [] };
}

export const flossParser: ToolParser = { id: 'floss', parse };
