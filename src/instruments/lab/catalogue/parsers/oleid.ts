import type { Severity } from '../../../../base/finding-schema.ts';
import type { LabFinding } from '../../contract.ts';
import { evidenceOf, linesOf, nothingParsed, type ParsedOutput, plainName, type ToolParser } from './contract.ts';
import { readTable } from './table.ts';

const risks: ReadonlyMap<string, Severity> = new Map([
  ['high', 'high'],
  ['medium', 'medium'],
  ['low', 'low'],
]);

const techniques: readonly (readonly [RegExp, string])[] = [
  [/^vba macros/i, 'T1059.005'],
  [/^xlm macros/i, 'T1059'],
  [/^external relationships/i, 'T1221'],
];

interface Row {
  readonly name: string;
  readonly value: string;
  readonly risk: string;
  readonly description: string;
}

function rowsOf(lines: readonly string[]): readonly Row[] {
  const wide = readTable(lines, { columns: 4, isRuled: true, most: 200 }).map(
    ([name = '', value = '', risk = '', description = '']) => ({
      name,
      value,
      risk,
      description,
    }),
  );
  // Versions before 0.60 have two columns and no risk.
  const narrow =
    wide.length > 0
      ? []
      : readTable(lines, { columns: 2, isRuled: false, most: 200 }).map(([name = '', value = '']) => ({
          name,
          value,
          risk: '',
          description: '',
        }));
  const pairs = lines.flatMap((line): Row[] => {
    const [, name, value] = /^([A-Z][A-Za-z ]{3,40}): +(\S.{0,200})$/.exec(line) ?? [];
    return name === undefined || name === 'Filename' ? [] : [{ name, value: value ?? '', risk: '', description: '' }];
  });
  const found = wide.length > 0 ? wide : narrow.length > 0 ? narrow : pairs.slice(0, 100);
  return found.filter(({ name }) => name !== 'Indicator');
}

function parse(text: string): ParsedOutput {
  // Above the table stands the name of the file, which can hold bars of its own.
  const lines = linesOf(text, 5000).filter((line) => !line.startsWith('Filename:'));
  const rows = rowsOf(
    lines.slice(
      Math.max(
        0,
        lines.findIndex((line) => /^\|? ?Indicator\s*\|/.test(line)),
      ),
    ),
  );
  if (rows.length === 0) return { ...nothingParsed, notes: ['oleid: no indicators were found in the output.'] };
  const findings = rows.flatMap((row): LabFinding[] => {
    const severity = risks.get(row.risk.toLowerCase());
    if (severity === undefined) return [];
    const technique = techniques.find(([form]) => form.test(row.name))?.[1];
    return [
      {
        rule: `oleid.${plainName(row.name)
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-')}`,
        title: `oleid rates "${plainName(row.name)}" above none`,
        severity,
        evidenceType: 'structural',
        evidence: evidenceOf('oleid', [`${row.value} — ${row.description}`]),
        benign: 'Macros, objects and links are features of Office that honest documents use.',
        ...(technique === undefined ? {} : { attack: [technique] }),
      },
    ];
  });
  const indicators = Object.fromEntries(
    rows.map(({ name, value, risk }) => [plainName(name), { value: value.slice(0, 200), risk: risk.slice(0, 20) }]),
  );
  const encrypted = rows.find(({ name }) => name === 'Encrypted')?.value;
  return {
    facts: { indicators, is_encrypted: encrypted === undefined ? null : encrypted === 'True' },
    findings,
    texts: [],
    notes: [],
  };
}

export const oleidParser: ToolParser = { id: 'oleid', parse };
