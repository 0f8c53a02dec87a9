/** Marks of an error that was not handled: frames of a stack in the form of each runtime, and paths of the server. */

const head = 64 * 1024;
const longestLine = 600;

const frames: readonly { readonly runtime: string; readonly pattern: RegExp }[] = [
  { runtime: 'JavaScript', pattern: /\bat [^\n]{0,200}[(/\\][^\s()]{1,200}:\d{1,7}:\d{1,7}\)?/ },
  { runtime: 'Python', pattern: /Traceback \(most recent call last\)|\bFile "[^"\n]{1,200}", line \d{1,7}/ },
  { runtime: 'Java', pattern: /\bat [\w$.]{3,200}\([\w$]{1,100}\.(?:java|kt|scala):\d{1,7}\)/ },
  { runtime: 'C#', pattern: /\bat [\w.<>`]{3,200}\([^()\n]{0,200}\) in [^\n]{1,200}:line \d{1,7}/ },
  { runtime: 'PHP', pattern: /\bStack trace:|\bin \/[^\s:]{1,200}\.php(?::| on line )\d{1,7}/ },
  { runtime: 'Ruby', pattern: /\/[^\s:]{1,200}\.rb:\d{1,7}:in [`']/ },
  { runtime: 'Go', pattern: /\bgoroutine \d{1,7} \[|\/[^\s:]{1,200}\.go:\d{1,7}\b/ },
];
const serverPath =
  /(?:\/(?:home|root|usr|var|opt|srv|app|workspace|Users)\/[\w.-]{1,80}\/[\w./-]{1,200}\.(?:[cm]?[jt]s|py|rb|go|php|java|cs|rs)\b|[A-Z]:\\[\w .\\-]{1,200}\.(?:[cm]?[jt]s|py|cs|php)\b)/;

export interface Trace {
  readonly kind: 'stack' | 'path';
  readonly runtime: string;
  /** The part that shows it. */
  readonly text: string;
}

/** Lines of JSON strings are still escaped: `\n` is undone first, and long lines are cut, so that no pattern walks far. */
export function findTrace(body: Uint8Array | string): Trace | null {
  const text = (typeof body === 'string' ? body : Buffer.from(body.subarray(0, head)).toString('utf8')).slice(0, head);
  const lines = text.replaceAll('\\n', '\n').replaceAll('\\"', '"').split('\n', 400);
  for (const whole of lines) {
    const line = whole.slice(0, longestLine);
    for (const { runtime, pattern } of frames) {
      const match = pattern.exec(line);
      if (match !== null) return { kind: 'stack', runtime, text: match[0].slice(0, 200) };
    }
  }
  for (const whole of lines) {
    const match = serverPath.exec(whole.slice(0, longestLine));
    if (match !== null) return { kind: 'path', runtime: '', text: match[0].slice(0, 200) };
  }
  return null;
}
