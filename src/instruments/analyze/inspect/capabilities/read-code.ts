import { posix } from 'node:path';
import { asObject, asString, entriesOf } from '../../../../base/json-shape.ts';
import { mebibyte } from '../../../../base/limits.ts';
import type { Inspected, Issue } from '../contract.ts';
import { readJson, readText } from '../read-file.ts';
import { readJavaScript } from './javascript.ts';
import { CodeProgram, candidates } from './program.ts';
import { readPython } from './python.ts';
import type { FileFacts, Language } from './ref.ts';

const largest: Readonly<Record<Language, number>> = { javascript: 8 * mebibyte, python: 2 * mebibyte };
const largestTotalBytes = 48 * mebibyte;

const javaScript = /\.[cm]?[jt]sx?$/;
const declarations = /\.d\.[cm]?ts$/;
const foreign = /(?:^|\/)(?:node_modules|site-packages)\//;
/** Not started by anybody who uses the package; read all the same when other code takes it in. */
const aside =
  /(?:^|\/)(?:tests?|__tests__|__mocks__|fixtures|examples?|benchmarks?|docs?)\/|\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:test_[^/]*|conftest)\.py$/i;

export interface ReadProgram {
  readonly program: CodeProgram;
  readonly issues: readonly Issue[];
}

/** Commands of a package need no ending. */
function startedFiles(inspected: Inspected): readonly string[] {
  const { bin } = asObject(readJson(inspected, 'package.json'));
  const entries = typeof bin === 'string' ? [bin] : entriesOf(bin).flatMap(([, path]) => asString(path) ?? []);
  return entries.map((path) => posix.normalize(path));
}

function languageOf(path: string, started: ReadonlySet<string>): Language | undefined {
  if (foreign.test(path) || declarations.test(path)) return undefined;
  if (path.endsWith('.py')) return 'python';
  if (javaScript.test(path)) return 'javascript';
  return started.has(path) && posix.extname(path) === '' ? 'javascript' : undefined;
}

/** Reads the package's own code; what cannot be read is told. */
export function readCode(inspected: Inspected): ReadProgram {
  const program = new CodeProgram();
  const issues: Issue[] = [];
  const started = new Set(startedFiles(inspected));
  const all = new Set(inspected.files);
  const languages = new Map(
    inspected.files.flatMap((path) => {
      const language = languageOf(path, started);
      return language === undefined ? [] : [[path, language] as const];
    }),
  );
  const waiting = [...languages.keys()].filter((path) => started.has(path) || !aside.test(path)).reverse();
  const seen = new Set(waiting);
  let total = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const language = languages.get(path) ?? 'javascript';
    const read = readText(inspected.root, path, largest[language]);
    if ('problem' in read) {
      issues.push({ path, problem: read.problem });
      continue;
    }
    total += read.text.length;
    if (total > largestTotalBytes) {
      issues.push({ path, problem: `was left out: the code of the package is larger than ${largestTotalBytes} bytes` });
      continue;
    }
    const facts = parse(path, language, read.text);
    if ('problem' in facts) {
      issues.push({ path, problem: facts.problem });
      continue;
    }
    program.add(facts.facts);
    for (const next of takenIn(facts.facts, all)) {
      if (!seen.has(next) && languages.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
  return { program, issues };
}

function parse(path: string, language: Language, text: string): ReturnType<typeof readJavaScript> {
  try {
    return language === 'python' ? readPython(path, text) : readJavaScript(path, text);
  } catch (error) {
    // Nesting that is too deep for the stack is a way to hide, not a fault of ours.
    if (error instanceof RangeError) return { problem: 'is nested too deeply to be parsed' };
    throw error;
  }
}

function takenIn(file: FileFacts, all: ReadonlySet<string>): readonly string[] {
  return file.imports.flatMap(
    ({ request }) => candidates(file.path, file.language, request).find((path) => all.has(path)) ?? [],
  );
}
