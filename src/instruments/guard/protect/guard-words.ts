/** The words that stand before a server's own command: `PROGRAM run --name N … -- `. */

/** Each is followed by its value. */
const valued: readonly string[] = [
  ...['--name', '--policy', '--mode', '--env', '--read', '--write'],
  ...['--host', '--limit', '--allow-gap', '--instructions'],
  ...['--backend', '--home', '--runtime-folder', '--docker-socket', '--color', '--log-level'],
];

export interface GuardWords {
  readonly name: string;
  readonly policy?: string;
  readonly mode?: string;
  /** Settings of Hotcell itself, as flags. */
  readonly settings?: readonly string[];
  readonly environment: readonly string[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** Without the program. */
export function guardWords({
  name,
  policy,
  mode,
  settings = [],
  environment,
  reads,
  writes,
}: GuardWords): readonly string[] {
  return [
    ...['run', '--name', name],
    ...(policy === undefined ? [] : ['--policy', policy]),
    ...(mode === undefined ? [] : ['--mode', mode]),
    ...settings,
    ...environment.flatMap((variable) => ['--env', variable]),
    ...reads.flatMap((path) => ['--read', path]),
    ...writes.flatMap((path) => ['--write', path]),
    '--',
  ];
}

/** `hotcell`, `/opt/hotcell/bin/hotcell`, `hotcell.cmd`. */
export function isGuardProgram(word: string): boolean {
  return /(^|[/\\])hotcell(\.(cmd|exe|ps1))?$/i.test(word);
}

/**
 * How many words belong to the guard, the program and `--` included; null where no command follows. A value may look
 * like anything, `--` too, so the words are read from the front.
 */
export function countGuardWords(words: readonly string[]): number | null {
  if (words[1] !== 'run') return null;
  for (let at = 2; at < words.length; at += valued.includes(words[at] ?? '') ? 2 : 1) {
    if (words[at] === '--') return at + 1;
  }
  return null;
}

/** Whether this was written by `protect`: the name comes first. */
export function isWrapped(words: readonly string[]): boolean {
  return (
    isGuardProgram(words[0] ?? '') && words[2] === '--name' && (countGuardWords(words) ?? words.length) < words.length
  );
}

/** A start through the guard that somebody wrote in another way: `npx hotcell run …` too. */
export function isGuarded(words: readonly string[]): boolean {
  const at = words
    .slice(0, 5)
    .findIndex((word) => isGuardProgram(word) || /^(@[\w.-]+\/)?hotcell(@[\w.^~-]+)?$/.test(word));
  return at !== -1 && words[at + 1] === 'run';
}
