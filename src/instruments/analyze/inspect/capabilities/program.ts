import { posix } from 'node:path';
import type { FileFacts, Language } from './ref.ts';

const extensions = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx'];
const compiled: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.jsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
  '.jsx': ['.tsx'],
};

/** The paths that a request may mean, best first. Names of packages mean none. */
export function candidates(from: string, language: Language, request: string): readonly string[] {
  return language === 'python' ? pythonCandidates(from, request) : javaScriptCandidates(from, request);
}

function javaScriptCandidates(from: string, request: string): readonly string[] {
  if (!request.startsWith('.')) return [];
  const path = posix.normalize(posix.join(posix.dirname(from), request));
  const extension = posix.extname(path);
  const stem = path.slice(0, path.length - extension.length);
  return [
    path,
    ...(compiled[extension] ?? []).map((other) => `${stem}${other}`),
    ...extensions.map((other) => `${path}${other}`),
    ...extensions.map((other) => posix.join(path, `index${other}`)),
  ];
}

/** `.x` is beside the file, `..x` one above; a plain name may be below any folder around the file. */
function pythonCandidates(from: string, request: string): readonly string[] {
  const dots = /^\.*/.exec(request)?.[0].length ?? 0;
  const inner = request
    .slice(dots)
    .split('.')
    .filter((part) => part !== '')
    .join('/');
  const both = (folder: string): readonly string[] => {
    const path = posix.normalize(posix.join(folder, inner));
    return inner === '' ? [posix.join(path, '__init__.py')] : [`${path}.py`, posix.join(path, '__init__.py')];
  };
  let folder = posix.dirname(from);
  if (dots > 0) {
    for (let up = 1; up < dots; up += 1) folder = posix.dirname(folder);
    return both(folder);
  }
  const found: string[] = [];
  for (let depth = 0; depth < 12; depth += 1) {
    found.push(...both(folder));
    if (folder === '.' || folder === '/') break;
    folder = posix.dirname(folder);
  }
  return found;
}

/** The files of a package that were read. */
export class CodeProgram {
  readonly files = new Map<string, FileFacts>();
  readonly #bundles: FileFacts[] = [];
  readonly #found = new Map<string, FileFacts | undefined>();

  add(file: FileFacts): void {
    this.files.set(file.path, file);
    if (file.bundled.size > 0) this.#bundles.push(file);
  }

  /** The module that a bundle left outside under this number. */
  bundled(key: string): string | undefined {
    return this.#bundles.map((file) => file.bundled.get(key)).find((request) => request !== undefined);
  }

  /** Asked when all files are there: what it answered once it answers again. */
  find(from: FileFacts, request: string): FileFacts | undefined {
    const key = `${from.path}\n${request}`;
    if (!this.#found.has(key)) this.#found.set(key, this.#find(from, request));
    return this.#found.get(key);
  }

  #find(from: FileFacts, request: string): FileFacts | undefined {
    for (const path of candidates(from.path, from.language, request)) {
      const file = this.files.get(path);
      if (file !== undefined && file !== from) return file;
    }
    return undefined;
  }
}
