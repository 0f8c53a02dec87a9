import { parse as parseToml } from 'smol-toml';
import { asObject, asStrings } from '../../base/json-shape.ts';

/** Requirements that stand in files other than a package's metadata. */

const mostRequirements = 500;

/** `requirements.txt`: one a line, with comments, options and hashes that do not matter here. */
export function readRequirements(text: string): readonly string[] {
  return text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, '')
        .replace(/\s--hash=\S+/g, '')
        .trim(),
    )
    .filter((line) => /^[A-Za-z0-9]/.test(line) && !/^[a-z+]+:\/\//.test(line))
    .slice(0, mostRequirements);
}

const marker = /^# \/\/\/ script\s*$/;

/** The block of comments that begins with `# /// script` in a single file. */
export function readInlineRequires(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).slice(0, 2000);
  const start = lines.findIndex((line) => marker.test(line));
  if (start === -1) return [];
  const end = lines.findIndex((line, at) => at > start && /^# \/\/\/\s*$/.test(line));
  const inside = lines.slice(start + 1, end === -1 ? start + 1 : end).map((line) => line.replace(/^# ?/, ''));
  try {
    return asStrings(asObject(parseToml(inside.join('\n'))).dependencies).slice(0, mostRequirements);
  } catch {
    return [];
  }
}
