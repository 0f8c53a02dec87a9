import { z } from 'zod';
import { readRules } from '../../../../base/rules-folder.ts';

/** What a string argument is for. The table is data; this only splits names into words and looks up. */

const rowSchema = z.strictObject({
  meaning: z.string(),
  names: z.array(z.string()),
  descriptions: z.array(z.string()),
  values: z.array(z.string()).min(1),
  whenGeneric: z.array(z.string()).exactOptional(),
});

const tableSchema = z.strictObject({ note: z.string(), generic: z.string(), meanings: z.array(rowSchema).min(1) });

export interface MeaningTable {
  /** The tool's name helps where the argument's own says too little. */
  of(name: string, description?: string, tool?: string): string;
  /** Honest values, with holes that the world fills. */
  valuesOf(meaning: string): readonly string[];
}

/** Nobody explains an argument in more. */
const longestDescription = 400;
const longestName = 100;
export const unknownMeaning = 'unknown';

export function wordsOf(name: string): string {
  return name
    .slice(0, longestName)
    .replace(/[A-Z]{2,}s(?![a-z])/g, (plural) => `${plural.slice(0, 1)}${plural.slice(1).toLowerCase()}`)
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

const formatMeanings: Readonly<Record<string, string>> = {
  uri: 'url',
  'uri-reference': 'url',
  iri: 'url',
  url: 'url',
  hostname: 'host',
  ipv4: 'host',
  ipv6: 'host',
  email: 'email',
  date: 'date',
  'date-time': 'date',
  time: 'time',
  uuid: 'uuid',
  regex: 'regex',
};

export function meaningOfFormat(format: unknown): string | undefined {
  return typeof format === 'string' ? formatMeanings[format] : undefined;
}

export function readMeanings(): MeaningTable {
  const { generic, meanings } = readRules('trials/meanings.json', tableSchema);
  const rows = meanings.map(({ meaning, names, descriptions, values, whenGeneric = [] }) => ({
    meaning,
    values,
    names: names.map((source) => new RegExp(source)),
    descriptions: descriptions.map((source) => new RegExp(source)),
    whenGeneric: whenGeneric.map((source) => new RegExp(source)),
  }));
  const isGeneric = new RegExp(generic);
  const values = new Map(rows.map((row) => [row.meaning, row.values]));
  return {
    of(name, description = '', tool = '') {
      const words = wordsOf(name);
      const text = description.slice(0, longestDescription).toLowerCase();
      const whole = `${wordsOf(tool).replaceAll('-', ' ')} ${text}`;
      const byTool = isGeneric.test(words)
        ? rows.find((row) => row.whenGeneric.some((pattern) => pattern.test(whole)))
        : undefined;
      if (byTool !== undefined) return byTool.meaning;
      const byName = rows.find((row) => row.names.some((pattern) => pattern.test(words)));
      if (byName !== undefined) return byName.meaning;
      const byText = rows.find((row) => row.descriptions.some((pattern) => pattern.test(text)));
      return byText?.meaning ?? unknownMeaning;
    },
    valuesOf: (meaning) => values.get(meaning) ?? [],
  };
}
