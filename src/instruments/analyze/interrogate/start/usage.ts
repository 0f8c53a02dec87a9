/** What a line such as `Usage: server <allowed-directory> [more...]` says must be given. */

export interface UsageArgument {
  readonly name: string;
  /** The option that it belongs to, as in `--root <dir>`; absent for a place in the line. */
  readonly option?: string;
}

const mostArguments = 8;

/** What stands in square brackets may be left out, brackets in brackets included. */
function withoutOptional(text: string): string {
  let depth = 0;
  let kept = '';
  for (const character of text) {
    if (character === '[') depth += 1;
    if (depth === 0) kept += character;
    if (character === ']') depth = Math.max(0, depth - 1);
  }
  return kept;
}

export function readUsage(line: string): readonly UsageArgument[] {
  const words = withoutOptional(line.slice(0, 400))
    .replace(/<([^<>]{1,80})>/g, (_, inside: string) => `<${inside.trim().replace(/\s+/g, '-')}>`)
    .split(/\s+/)
    .filter((word) => word !== '');
  const found: UsageArgument[] = [];
  let option: string | undefined;
  for (const word of words) {
    const pair = /^(--[a-z][\w-]*)=<?([\w-]+)>?$/i.exec(word);
    const name = /^<([^<>]+)>(?:\.\.\.)?$/.exec(word)?.[1];
    if (pair !== null) found.push({ name: pair[2] ?? '', option: pair[1] ?? '' });
    else if (name !== undefined) found.push({ name, ...(option === undefined ? {} : { option }) });
    option = /^--[a-z][\w-]*$/i.test(word) ? word : undefined;
  }
  return found.slice(0, mostArguments);
}
