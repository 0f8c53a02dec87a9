import semver from 'semver';
import { UsageError } from '../../../base/errors.ts';
import type { NpmTarget } from './contract.ts';

const namePattern = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;
const tagPattern = /^[A-Za-z0-9._~!*'()-]+$/;
const longestName = 214;
const longestWanted = 256;

export function isNpmName(name: string): boolean {
  return name.length <= longestName && namePattern.test(name);
}

function classify(value: string, text: string): NpmTarget['wanted'] {
  if (value === '') return { is: 'tag', value: 'latest' };
  if (value.length > longestWanted) throw new UsageError(`npm package ${text}: the version is too long`);
  const version = semver.valid(value, { loose: true });
  if (version !== null) return { is: 'version', value: version };
  if (semver.validRange(value, { loose: true }) !== null) return { is: 'range', value };
  if (tagPattern.test(value)) return { is: 'tag', value };
  throw new UsageError(`npm package ${text}: ${JSON.stringify(value)} is no version, range or tag`, {
    hint: 'write npm:name@1.2.3, npm:name@^1.2 or npm:name@latest; other sources have their own form, such as git+https://…',
  });
}

/** `@scope/name@spec`: the `@` of a scope is not the one before the version. */
export function parseNpmSpec(text: string): NpmTarget {
  const at = text.indexOf('@', 1);
  const name = at === -1 ? text : text.slice(0, at);
  const value = at === -1 ? '' : text.slice(at + 1).trim();
  const alias = /^npm:(.+)$/.exec(value);
  if (alias?.[1] !== undefined && isNpmName(name)) return parseNpmSpec(alias[1]);
  if (!isNpmName(name)) {
    throw new UsageError(`npm package ${JSON.stringify(text)}: ${JSON.stringify(name)} is not the name of a package`, {
      hint: 'write npm:name@version or npm:@scope/name@version',
    });
  }
  return { kind: 'npm', name, wanted: classify(value, name) };
}
