/** Regular expressions of Python in the spelling that the engine reads. */
export function javaScriptSource(source: string): string {
  return (
    source
      .replace(/\(\?P<\w+>/g, '(?:')
      .replace(/^\\A/, '^')
      // Either scheme, the same host.
      .replace(/^\^https\?:/, '^https:')
      .replace(/\\[Zz]$/, '$')
  );
}

/** `match` is tied to the beginning, `fullmatch` to both ends, and `search` to neither. */
export function tied(source: string, how: string): string {
  const plain = javaScriptSource(source);
  if (how === 'fullmatch') return `^(?:${plain.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')})$`;
  return how === 'match' && !plain.startsWith('^') ? `^(?:${plain})` : plain;
}
