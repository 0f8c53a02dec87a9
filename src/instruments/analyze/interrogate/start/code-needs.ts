/** What code cannot do without: variables whose absence ends the program, and options that it insists on. */

export interface CodeNeeds {
  readonly variables: readonly string[];
  readonly options: readonly string[];
  readonly usage: readonly string[];
  readonly speaksStdio: boolean;
  readonly listens: boolean;
  readonly readsPort: boolean;
}

const mostNames = 32;
const name = '([A-Z][A-Z0-9_]{2,80})';
const javaScriptRead = new RegExp(
  `(?:const|let|var)\\s+([\\w$]+)\\s*=\\s*process\\.env(?:\\.${name}|\\[["']${name}["']\\])\\s*([;,\\n|?]{0,2})`,
  'g',
);
const pythonRead = new RegExp(
  `([A-Za-z_]\\w*)\\s*=\\s*os\\.(?:getenv|environ\\.get)\\(\\s*["']${name}["']\\s*(,?)`,
  'g',
);
const pythonIndex = new RegExp(`os\\.environ\\[\\s*["']${name}["']\\s*\\](?!\\s*=[^=])`, 'g');
const javaScriptCheck = /\bif\s*\(([^{};]{1,300})\)\s*(?:\{[^}]{0,600}?)?(?:process\.exit|throw\b|exit\()/g;
const pythonCheck = /\bif\s+(not\s[^:\n]{1,200}):\s*\n(?:[^\n]*\n){0,6}?\s*(?:raise\b|sys\.exit|exit\()/g;
const negated = /(?:!|not\s+)\s*(?:process\.env\.)?([A-Za-z_$][\w$]*)/g;
const requiredOption =
  /add_argument\(\s*["'](?:-\w["']\s*,\s*["'])?(--[a-z][\w-]*)["'][^)]{0,300}?required\s*=\s*True/g;
const usageText = /[Uu]sage:?\s+([^"'`\\\n]{3,200})/g;

function* matches(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  let count = 0;
  for (const match of text.matchAll(pattern)) {
    yield match;
    count += 1;
    if (count >= 500) return;
  }
}

function readsOf(text: string): ReadonlyMap<string, string> {
  const reads = new Map<string, string>();
  for (const [, variable = '', dotted, indexed, after = ''] of matches(text, javaScriptRead)) {
    if (!/^(?:\|\||\?\?)/.test(after)) reads.set(variable, dotted ?? indexed ?? '');
  }
  for (const [, variable = '', read = '', comma] of matches(text, pythonRead))
    if (comma === '') reads.set(variable, read);
  return reads;
}

export function readCode(text: string): CodeNeeds {
  const reads = readsOf(text);
  const variables = new Set<string>();
  for (const check of [javaScriptCheck, pythonCheck]) {
    for (const [, condition = ''] of matches(text, check)) {
      for (const [, read = ''] of condition.matchAll(negated)) {
        const variable =
          reads.get(read) ?? (/process\.env\./.test(condition) && /^[A-Z]/.test(read) ? read : undefined);
        if (variable !== undefined) variables.add(variable);
      }
    }
  }
  for (const [, read = ''] of matches(text, pythonIndex)) variables.add(read);
  return {
    variables: [...variables].slice(0, mostNames),
    options: [...new Set([...matches(text, requiredOption)].map(([, option = '']) => option))].slice(0, mostNames),
    usage: [...matches(text, usageText)].map(([, line = '']) => line).slice(0, 4),
    speaksStdio:
      /StdioServerTransport|stdio_server|server\/stdio|transport\s*[=:]\s*["']stdio|FastMCP|\.run\(\s*\)/.test(text),
    listens: /\.listen\(|uvicorn\.run|StreamableHTTPServerTransport|SSEServerTransport/.test(text),
    readsPort: /process\.env\.PORT\b|["']PORT["']/.test(text),
  };
}
