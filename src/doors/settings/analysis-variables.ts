import { UsageError } from '../../base/errors.ts';
import { gibibyte, kibibyte, mebibyte } from '../../base/limits.ts';
import { limitsSchema } from '../../base/policy-schema.ts';
import { backendIds } from '../../engine/box/contract.ts';
import { findNearest } from '../../engine/policy/nearest.ts';
import type { Caller, Settings } from './definitions.ts';
import { readEnvFile } from './source.ts';

/**
 * Variables that other tools of this kind are set up with, so that what is set already goes on meaning the same. They are
 * read by `hotcell analyze` alone, from the environment and then from `.env`; whatever a flag or a HOTCELL_* variable says
 * wins over them.
 */

type Values = {
  readonly backend: Settings['backend'];
  readonly memoryBytes: number;
  readonly cpuCores: number;
  readonly isNetworkWatched: boolean;
  readonly isOutboundWanted: boolean;
  readonly honestCalls: number;
  readonly trialsPerPosition: number;
  readonly isModelWanted: boolean;
  readonly anthropicKey: string;
};

export type AnalysisVariables = Partial<Values> & {
  /** Where values came from that did not come from the environment: a folder under study can hold such a file. */
  readonly fromFile: readonly string[];
};

const sizePattern = /^(\d{1,15}(?:\.\d{1,6})?) *([bkmgt]?)(?:i?b)?$/i;
const sizeUnits: Readonly<Record<string, number>> = {
  b: 1,
  k: kibibyte,
  m: mebibyte,
  g: gibibyte,
  t: 1024 * gibibyte,
};

/** `512m`, `1.5g`, `1073741824`; null for anything else. */
export function readSize(text: string): number | null {
  const [, amount = '', unit = ''] = sizePattern.exec(text.trim()) ?? [];
  if (amount === '') return null;
  return Math.round(Number(amount) * (sizeUnits[unit.toLowerCase()] ?? 1));
}

const switches: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

/** What other tools call the same thing. */
const runtimeNames: Readonly<Record<string, Settings['backend']>> = { runsc: 'gvisor', bubblewrap: 'bwrap' };

function refuse(name: string, expected: string, text: string, hint?: string): UsageError {
  const shown = JSON.stringify(text.slice(0, 200));
  return new UsageError(`${name}: expected ${expected}, not ${shown}`, hint === undefined ? {} : { hint });
}

function readSwitch(text: string, name: string): boolean {
  const key = text.trim().toLowerCase();
  const value = Object.hasOwn(switches, key) ? switches[key] : undefined;
  if (value === undefined) throw refuse(name, 'true or false', text);
  return value;
}

function readRuntime(text: string, name: string): Settings['backend'] {
  const given = text.trim().toLowerCase();
  const known: readonly Settings['backend'][] = ['auto', ...backendIds];
  const alias = Object.hasOwn(runtimeNames, given) ? runtimeNames[given] : undefined;
  const backend = alias ?? known.find((id) => id === given);
  if (backend !== undefined) return backend;
  const names = [...Object.keys(runtimeNames), ...known];
  const nearest = findNearest(given, names);
  throw refuse(name, `one of ${names.join(', ')}`, text, nearest === null ? undefined : `did you mean ${nearest}?`);
}

function readMemory(text: string, name: string): number {
  const parsed = limitsSchema.shape.memoryBytes.safeParse(readSize(text));
  if (!parsed.success) throw refuse(name, 'a size from 16m to 1024g, such as 512m', text);
  return parsed.data;
}

function readCores(text: string, name: string): number {
  const isNumber = /^\d{1,6}(\.\d{1,6})?$/.test(text.trim());
  const parsed = limitsSchema.shape.cpuCores.safeParse(isNumber ? Number(text) : null);
  if (!parsed.success) throw refuse(name, 'a number of cores from 0.05 to 1024, such as 1.0', text);
  return parsed.data;
}

const mostPayloads = 1000;

function readCount(least: number) {
  return (text: string, name: string): number => {
    const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : -1;
    if (value < least || value > mostPayloads)
      throw refuse(name, `a whole number from ${least} to ${mostPayloads}`, text);
    return value;
  };
}

interface VariableDefinition<Key extends keyof Values> {
  readonly key: Key;
  readonly description: string;
  read(text: string, name: string): Values[Key];
}

function define<Key extends keyof Values>(definition: VariableDefinition<Key>): VariableDefinition<Key> {
  return definition;
}

export const analysisVariables = {
  CONTAINER_RUNTIME: define({ key: 'backend', description: 'like --backend; runsc means gvisor', read: readRuntime }),
  CONTAINER_MEMORY_LIMIT: define({
    key: 'memoryBytes',
    description: 'memory of the box, such as 512m',
    read: readMemory,
  }),
  CONTAINER_CPU_LIMIT: define({ key: 'cpuCores', description: 'cores of the box, such as 1.0', read: readCores }),
  ENABLE_NETWORK_MONITORING: define({
    key: 'isNetworkWatched',
    description: 'false: like --no-network, for nothing goes unwatched',
    read: readSwitch,
  }),
  ALLOW_OUTBOUND_NETWORK: define({
    key: 'isOutboundWanted',
    description: 'changes nothing: an analysis never has a real way out',
    read: readSwitch,
  }),
  NUM_VALID_PAYLOADS: define({ key: 'honestCalls', description: 'honest calls per tool', read: readCount(1) }),
  NUM_MALICIOUS_PAYLOADS: define({
    key: 'trialsPerPosition',
    description: 'trials per parameter',
    read: readCount(0),
  }),
  ENABLE_LLM_FUZZING: define({ key: 'isModelWanted', description: 'true: like --llm anthropic', read: readSwitch }),
  ANTHROPIC_API_KEY: define({
    key: 'anthropicKey',
    description: 'key for --llm anthropic',
    read: (text) => text.trim(),
  }),
} as const;

type VariableName = keyof typeof analysisVariables;
const names = Object.keys(analysisVariables) as readonly VariableName[];
const pattern = new RegExp(`^(${names.join('|')})(=|$)`);

export async function readAnalysisVariables({ environment, folder }: Caller): Promise<AnalysisVariables> {
  const file = await readEnvFile(folder, pattern);
  const values: Partial<Record<keyof Values, unknown>> = {};
  const fromFile: string[] = [];
  for (const name of names) {
    const own = environment[name] ?? '';
    const text = own === '' ? (file.variables.get(name) ?? '') : own;
    if (text === '') continue;
    const { key, read } = analysisVariables[name];
    values[key] = read(text, own === '' ? `${file.path}: ${name}` : name);
    if (own === '') fromFile.push(`${name} comes from ${file.path}`);
  }
  return { ...(values as Partial<Values>), fromFile };
}
