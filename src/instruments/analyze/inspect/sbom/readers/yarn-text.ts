import { TargetError } from '../../../../../base/errors.ts';

/**
 * The first yarn.lock is a format of its own: keys, values divided by one blank, two blanks of indentation per level.
 *
 *     "a@^1.0.0", a@^1.2.0:
 *       version "1.2.3"
 *       dependencies:
 *         b "^2.0.0"
 */

export interface YarnEntry {
  readonly patterns: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Words of a line; one that is quoted may hold anything but a quote. */
function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s",:][^\s",]*)/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain.replace(/:$/, '') : quoted.replace(/\\(.)/g, '$1'),
  );
}

const longestLine = 16_384;

export function parseYarnText(text: string): readonly YarnEntry[] {
  const entries: {
    patterns: readonly string[];
    fields: Map<string, string>;
    lists: Map<string, Map<string, string>>;
  }[] = [];
  let list: Map<string, string> | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (line.length > longestLine) throw new TargetError(`has a line of ${line.length} characters (line ${index + 1})`);
    const indentation = line.length - line.trimStart().length;
    const words = wordsOf(line);
    const [first = '', second] = words;
    const entry = entries.at(-1);
    if (indentation === 0) {
      if (!line.trimEnd().endsWith(':')) throw new TargetError(`is not a yarn.lock: line ${index + 1} is no key`);
      entries.push({ patterns: words, fields: new Map(), lists: new Map() });
      list = undefined;
    } else if (entry === undefined) {
      throw new TargetError(`is not a yarn.lock: line ${index + 1} belongs to nothing`);
    } else if (indentation === 2 && second === undefined) {
      list = new Map();
      entry.lists.set(first, list);
    } else if (indentation === 2) {
      entry.fields.set(first, second ?? '');
      list = undefined;
    } else if (list !== undefined) list.set(first, second ?? '*');
  }
  return entries.map(({ patterns, fields, lists }) => ({
    patterns,
    fields: Object.fromEntries(fields),
    dependencies: Object.fromEntries(lists.get('dependencies') ?? []),
    optionalDependencies: Object.fromEntries(lists.get('optionalDependencies') ?? []),
  }));
}
