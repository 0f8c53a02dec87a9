import { asString, entriesOf } from '../../../../../base/json-shape.ts';
import type { LockEntry } from '../builder.ts';
import type { LockReader } from '../reader.ts';
import { parseJsonObject } from './parse.ts';

/** package.json with no lock beside it: what was asked for, and nothing of what that brings. */

function entriesFor(kind: unknown): readonly LockEntry[] {
  return entriesOf(kind).map(([name, value]) => {
    const range = asString(value) ?? '*';
    const isExact = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(range);
    const isElsewhere = /^(?:git|github|https?|file|link)[+:]/.test(range);
    return {
      key: `${name}@${range}`,
      name,
      version: isExact ? range : undefined,
      range,
      origin: isElsewhere ? range.slice(0, 500) : undefined,
      needs: [],
    };
  });
}

export const packageJson: LockReader = {
  id: 'package-json',
  title: 'package.json',
  ecosystem: 'npm',
  isFor: (fileName) => fileName === 'package.json',
  rank: 10,
  read: (text) => {
    const document = parseJsonObject(text);
    const [required, development, optional] = [
      entriesFor(document.dependencies),
      entriesFor(document.devDependencies),
      entriesFor(document.optionalDependencies),
    ];
    const keys = (list: readonly LockEntry[]): readonly string[] => list.map(({ key }) => key);
    return {
      ecosystem: 'npm',
      root: { name: asString(document.name), version: asString(document.version) },
      entries: [...required, ...development, ...optional],
      direct: keys(required),
      directDevelopment: keys(development),
      directOptional: keys(optional),
      problems: [],
      isPartial: required.length + optional.length > 0,
    };
  },
};
