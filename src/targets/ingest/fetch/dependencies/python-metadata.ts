import { UsageError } from '../../../../base/errors.ts';
import type { PypiTarget } from '../../target/contract.ts';
import { parsePypiSpec } from '../../target/pypi-spec.ts';
import { evaluateMarker, type MarkerEnvironment } from './markers.ts';

/** `METADATA` of a wheel and `PKG-INFO` of a source archive: headers as in a mail, then a description. */
export interface PythonMetadata {
  readonly name?: string;
  readonly version?: string;
  readonly licence?: string;
  readonly requires: readonly string[];
  /** Fields that a build would decide. */
  readonly dynamic: readonly string[];
}

const mostRequirements = 2000;

export function readPythonMetadata(text: string): PythonMetadata {
  const [head = ''] = text.replace(/\r\n/g, '\n').split(/\n\n/, 1);
  const fields = head
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .map((line) => /^([A-Za-z][\w-]*):\s*(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, key = '', value = '']) => [key.toLowerCase(), value.trim()] as const);
  const all = (key: string): string[] => fields.filter(([name]) => name === key).map(([, value]) => value);
  const classifier = all('classifier')
    .find((value) => value.startsWith('License ::'))
    ?.split('::')
    .at(-1)
    ?.trim();
  const [name] = all('name');
  const [version] = all('version');
  const licence = all('license-expression')[0] ?? all('license')[0]?.slice(0, 200) ?? classifier;
  return {
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
    ...(licence === undefined ? {} : { licence }),
    requires: all('requires-dist').slice(0, mostRequirements),
    dynamic: all('dynamic').map((value) => value.toLowerCase()),
  };
}

export interface Requirement {
  readonly target?: PypiTarget;
  readonly text: string;
  readonly why?: string;
}

/** A requirement when it counts here, with or without one of the extras; nothing when its marker says no. */
export function readRequirement(
  text: string,
  extras: readonly string[],
  environment: MarkerEnvironment,
): Requirement | undefined {
  const [spec = '', marker] = text.split(/;(.*)/s).map((part) => part.trim());
  if (marker !== undefined && marker !== '') {
    const answers = ['', ...extras].map((extra) => evaluateMarker(marker, { ...environment, extra }));
    if (answers.every((answer) => answer === false)) return undefined;
  }
  if (/^[\w.-]+\s*(\[[^\]]*\])?\s*@/.test(spec)) return { text, why: 'not from an index' };
  try {
    return { text, target: parsePypiSpec(spec) };
  } catch (error) {
    if (error instanceof UsageError) return { text, why: 'not a requirement' };
    throw error;
  }
}
