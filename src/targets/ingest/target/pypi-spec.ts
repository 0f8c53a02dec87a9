import { validRange } from '@renovatebot/pep440';
import { UsageError } from '../../../base/errors.ts';
import type { PypiTarget } from './contract.ts';

/**
 *     name [extra, extra] >=1.0, <2
 */
const requirement = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[([^\]]*)\])?\s*(.*)$/s;
const extraPattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const longestRequirement = 512;

/** One form for all spellings of a name: `Foo_Bar` and `foo.bar` are the same project. */
export function normalisePypiName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

export function isPypiSpecifier(text: string): boolean {
  try {
    return text === '' || validRange(text);
  } catch {
    return false;
  }
}

function failed(text: string, why: string): UsageError {
  const hint = 'write pypi:name, pypi:name==1.2.3 or pypi:name[extra]>=1,<2';
  return new UsageError(`Python package ${JSON.stringify(text)}: ${why}`, { hint });
}

export function parsePypiSpec(text: string): PypiTarget {
  if (text.length > longestRequirement) throw failed(text.slice(0, 40), 'too long');
  const match = requirement.exec(text.trim());
  const [, name, extrasText, rest = ''] = match ?? [];
  if (name === undefined) throw failed(text, 'this is not the name of a package');
  const extras = (extrasText ?? '')
    .split(',')
    .map((extra) => extra.trim())
    .filter((extra) => extra !== '');
  const wrong = extras.find((extra) => !extraPattern.test(extra));
  if (wrong !== undefined) throw failed(text, `${JSON.stringify(wrong)} is no extra`);
  const bare = /^\((.*)\)$/s.exec(rest.trim())?.[1] ?? rest;
  const specifier = bare.replace(/\s+/g, '');
  if (!isPypiSpecifier(specifier)) throw failed(text, `${JSON.stringify(rest)} is no version specifier`);
  return { kind: 'pypi', name: normalisePypiName(name), extras: extras.map(normalisePypiName), specifier };
}

/** What uvx takes: `name@1.2.3` and `name@latest` besides the usual form. */
export function parseUvxSpec(text: string): PypiTarget {
  const at = text.indexOf('@');
  if (at <= 0) return parsePypiSpec(text);
  const version = text.slice(at + 1).trim();
  return parsePypiSpec(version === 'latest' ? text.slice(0, at) : `${text.slice(0, at)}==${version}`);
}
