import { compare as comparePython, valid as validPython } from '@renovatebot/pep440';
import semver from 'semver';

/** How versions of an ecosystem are ordered. Undefined: one of the two is no version there, and nothing may be concluded. */
export type Compare = (left: string, right: string) => number | undefined;

const longestVersion = 256;

function compareNpm(left: string, right: string): number | undefined {
  const [a, b] = [semver.parse(left, { loose: true }), semver.parse(right, { loose: true })];
  return a === null || b === null ? undefined : semver.compare(a, b);
}

/** Only one letter case of `v` and blanks are cleaned by PEP 440 itself; the comparison knows epochs, pre, post, dev, local. */
function comparePypi(left: string, right: string): number | undefined {
  if (validPython(left) === null || validPython(right) === null) return undefined;
  return comparePython(left, right);
}

const comparers: Readonly<Record<string, Compare>> = { npm: compareNpm, PyPI: comparePypi };

export function comparerOf(ecosystem: string): Compare {
  const compare = Object.hasOwn(comparers, ecosystem) ? comparers[ecosystem] : undefined;
  return (left, right) =>
    left.length > longestVersion || right.length > longestVersion ? undefined : compare?.(left, right);
}
