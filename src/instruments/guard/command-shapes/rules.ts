import { z } from 'zod';
import { readRules } from '../../../base/rules-folder.ts';

/** The table of programs and shapes: what is data is read once, and a broken table is found before anything is judged. */

const test = {
  /** Compared with the value in lower case; without it every value counts. */
  value: z.string().exactOptional(),
  not: z.string().exactOptional(),
  config: z.string().exactOptional(),
  package: z.string().exactOptional(),
  variables: z.boolean().exactOptional(),
};
const hitSchema = z.strictObject({ options: z.array(z.string()), shape: z.string(), ...test });
const operandSchema = z.strictObject({ at: z.number().exactOptional(), shape: z.string(), ...test });
const noteSchema = z.strictObject({
  at: z.number(),
  unless: z.array(z.string()).default([]),
  not: z.string(),
  says: z.string(),
});

export const handOvers = [
  'operands',
  'line-operand',
  'line-value',
  'lines',
  'joined-line',
  'split',
  'after',
  'module',
  'dashes',
] as const;
const handOverSchema = z.strictObject({
  is: z.enum(handOvers),
  when: z.array(z.string()).default([]),
  skip: z.number().default(0),
  assignments: z.boolean().default(false),
  program: z.array(z.string()).default([]),
});

const programSchema = z.strictObject({
  names: z.array(z.string()),
  id: z.string().exactOptional(),
  /** `getopt` as most do; `words`: long names with one dash; `slashes` and `bare`: no options at all. */
  style: z.enum(['getopt', 'words', 'slashes', 'bare']).default('getopt'),
  short: z.string().default(''),
  long: z.array(z.string()).default([]),
  otherLongs: z.enum(['flag', 'value']).default('flag'),
  /** Options are read after the first word that is none. */
  mixes: z.boolean().default(false),
  /** After so many other words there are no options any more. */
  mostOperands: z.number().exactOptional(),
  abbreviates: z.boolean().default(false),
  firstWordIsOptions: z.boolean().default(false),
  ends: z.array(z.string()).default([]),
  hits: z.array(hitSchema).default([]),
  operands: z.array(operandSchema).default([]),
  notes: z.array(noteSchema).default([]),
  handsOver: z.array(handOverSchema).default([]),
  verbs: z.record(z.string(), z.string()).exactOptional(),
  reader: z.enum(['powershell', 'cmd', 'awk', 'sed']).exactOptional(),
  isBare: z.string().exactOptional(),
});
export type Program = z.infer<typeof programSchema>;
export type HandOver = z.infer<typeof handOverSchema>;
export type ValueTest = Pick<z.infer<typeof hitSchema>, 'value' | 'not' | 'config' | 'package' | 'variables'>;

const variableSchema = z.strictObject({
  name: z.string(),
  value: z.string().exactOptional(),
  /** The value is read as the words of this program. */
  reads: z.string().exactOptional(),
  isNote: z.boolean().default(false),
});

const fileSchema = z.strictObject({
  note: z.string(),
  shapes: z.record(
    z.string(),
    z.strictObject({ title: z.string(), why: z.string(), cve: z.array(z.string()).default([]) }),
  ),
  predicates: z.array(z.strictObject({ id: z.string(), title: z.string(), shapes: z.array(z.string()) })),
  variables: z.array(variableSchema),
  programs: z.array(programSchema),
  packages: z.record(z.string(), z.string()),
  configs: z.record(
    z.string(),
    z.array(z.strictObject({ key: z.string(), value: z.string().exactOptional(), not: z.string().exactOptional() })),
  ),
  companions: z.array(z.string()),
  readers: z.array(z.string()),
  downloaders: z.array(z.string()),
  launchers: z.array(z.string()),
});

export const shapeRules = readRules('command-shapes.json', fileSchema);

const byName = new Map(shapeRules.programs.flatMap((program) => program.names.map((name) => [name, program] as const)));
const byId = new Map(
  shapeRules.programs.flatMap((program) => (program.id === undefined ? [] : [[program.id, program]])),
);

/** `python3.11`, `lua5.4`, `pip3`, `node-20`: a version at the end says nothing about what it is. */
const versionAtEnd = /[-_]?\d+(?:\.\d+)*(?:[-.]?(?:rc|dev|beta|t)\d*)?$/;

export function findProgram(name: string): Program | undefined {
  return byName.get(name) ?? byName.get(name.replace(versionAtEnd, ''));
}

export function programById(id: string): Program | undefined {
  return byId.get(id) ?? byName.get(id);
}

/** The name that a program is known by: without its folder, its ending and its case. */
export function baseName(word: string): string {
  const last = word.split(/[/\\]/).at(-1) ?? '';
  return last.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '') || last.toLowerCase();
}
