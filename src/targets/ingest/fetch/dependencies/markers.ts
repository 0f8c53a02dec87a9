/**
 * Environment markers of PEP 508: which requirements count on this machine.
 *
 *     python_version >= "3.8" and (sys_platform == "linux" or extra == "cli")
 */
import { satisfies, valid } from '@renovatebot/pep440';

export type MarkerEnvironment = Readonly<Record<string, string>>;

const platforms: Readonly<Record<string, { readonly sys: string; readonly system: string; readonly os: string }>> = {
  linux: { sys: 'linux', system: 'Linux', os: 'posix' },
  darwin: { sys: 'darwin', system: 'Darwin', os: 'posix' },
  win32: { sys: 'win32', system: 'Windows', os: 'nt' },
};

export function markerEnvironment(
  pythonVersion: string,
  platform: string = process.platform,
  machine: string = process.arch,
): MarkerEnvironment {
  const here = platforms[platform] ?? { sys: platform, system: platform, os: 'posix' };
  const processor = { x64: 'x86_64', arm64: platform === 'darwin' ? 'arm64' : 'aarch64' }[machine] ?? machine;
  return {
    python_version: pythonVersion.split('.').slice(0, 2).join('.'),
    python_full_version: pythonVersion,
    os_name: here.os,
    sys_platform: here.sys,
    platform_system: here.system,
    platform_machine: processor,
    platform_python_implementation: 'CPython',
    implementation_name: 'cpython',
    implementation_version: pythonVersion,
    platform_release: '',
    platform_version: '',
    extra: '',
  };
}

const tokenPattern = /\s*(?:(\(|\))|("[^"]*"|'[^']*')|(===|==|~=|!=|<=|>=|<|>)|([A-Za-z_][\w.]*))/y;
const mostTokens = 500;

function tokenize(text: string): string[] | undefined {
  const tokens: string[] = [];
  const pattern = new RegExp(tokenPattern.source, 'y');
  while (pattern.lastIndex < text.trimEnd().length) {
    const match = pattern.exec(text);
    if (match === null || tokens.length >= mostTokens) return undefined;
    tokens.push(match.slice(1).find((part) => part !== undefined) ?? '');
  }
  return tokens;
}

const versionNames = new Set(['python_version', 'python_full_version', 'implementation_version']);

function compareValues(left: string, operator: string, right: string, isVersion: boolean): boolean {
  if (operator === 'in') return right.includes(left);
  if (operator === 'not in') return !right.includes(left);
  if (isVersion && valid(left) !== null && valid(right.replace(/\.\*$/, '')) !== null) {
    return satisfies(left, `${operator}${right}`, { prereleases: true });
  }
  if (operator === '==' || operator === '===') return left === right;
  if (operator === '!=') return left !== right;
  return false;
}

/** Descends through `or`, `and`, brackets and comparisons; anything unexpected ends it. */
class MarkerReader {
  readonly #tokens: readonly string[];
  readonly #environment: MarkerEnvironment;
  #at = 0;

  constructor(tokens: readonly string[], environment: MarkerEnvironment) {
    this.#tokens = tokens;
    this.#environment = environment;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  #take(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new SyntaxError('the marker ends too early');
    this.#at += 1;
    return token;
  }

  readOr(): boolean {
    let value = this.#readAnd();
    while (this.#tokens[this.#at] === 'or') {
      this.#at += 1;
      value = this.#readAnd() || value;
    }
    return value;
  }

  #readAnd(): boolean {
    let value = this.#readOne();
    while (this.#tokens[this.#at] === 'and') {
      this.#at += 1;
      value = this.#readOne() && value;
    }
    return value;
  }

  #readOne(): boolean {
    if (this.#tokens[this.#at] === '(') {
      this.#at += 1;
      const value = this.readOr();
      if (this.#take() !== ')') throw new SyntaxError('a bracket is not closed');
      return value;
    }
    const left = this.#take();
    let operator = this.#take();
    if (operator === 'not') operator = `not ${this.#take()}`;
    const right = this.#take();
    if (!/^([=<>~!]+|in|not in)$/.test(operator)) throw new SyntaxError('no comparison');
    const isVersion = versionNames.has(left) || versionNames.has(right);
    return compareValues(this.#value(left), operator, this.#value(right), isVersion);
  }

  #value(token: string): string {
    if (/^["']/.test(token)) return token.slice(1, -1);
    const value = this.#environment[token.replace(/^os\.name$/, 'os_name').replace(/^sys\.platform$/, 'sys_platform')];
    if (value === undefined) throw new SyntaxError('a name that is not known');
    return value;
  }
}

/** Undefined when the marker cannot be read; then the requirement counts, because leaving it out would hide it. */
export function evaluateMarker(marker: string, environment: MarkerEnvironment): boolean | undefined {
  const tokens = tokenize(marker);
  if (tokens === undefined || tokens.length === 0) return undefined;
  const reader = new MarkerReader(tokens, environment);
  try {
    const value = reader.readOr();
    return reader.isAtEnd ? value : undefined;
  } catch {
    return undefined;
  }
}
