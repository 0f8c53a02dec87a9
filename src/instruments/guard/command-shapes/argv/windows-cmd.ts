import { baseName, shapeRules } from '../rules.ts';

/** The words of cmd.exe: everything behind `/c`, `/k` or `/r` is one line that it reads again. */

const special = /[&|<>^%!"\n]/;

export interface CmdLine {
  /** Nothing in it means anything to cmd, and it only starts a launcher: Windows finds `npx.cmd` in no other way. */
  readonly isPlainLaunch: boolean;
  readonly words: readonly string[];
  readonly inner: readonly string[];
}

export function readCmd(words: readonly string[]): CmdLine | null {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const found = /^(?:\/[adefquv](?::\w+)?)*\/[ckr](.*)$/is.exec(word);
    if (found !== null) {
      const glued = found[1] ?? '';
      const rest = [...(glued === '' ? [] : [glued]), ...words.slice(at + 1)];
      const inner = rest.length === 1 ? (rest[0] ?? '').split(/\s+/).filter((part) => part !== '') : rest;
      const isPlain = inner.every((part) => !special.test(part));
      const isLauncher = shapeRules.launchers.includes(baseName(inner[0] ?? ''));
      return { isPlainLaunch: isPlain && isLauncher, words: words.slice(at), inner };
    }
    if (!word.startsWith('/')) return null;
  }
  return null;
}
