import { setImmediate as nextTurn } from 'node:timers/promises';
import { readJson } from '../read-file.ts';
import {
  defaultTaintLimits,
  type SkippedFile,
  type SourceTree,
  type TaintLimits,
  type TaintResult,
} from './contract.ts';
import { discover, withinBudget } from './discover.ts';
import { Machine } from './engine/machine.ts';
import { registerDefinition } from './engine/source.ts';
import { JavaScriptProgram } from './javascript/program.ts';
import type { Purpose } from './judge.ts';
import { notAnalysedFindings } from './not-analysed.ts';
import { PythonProgram } from './python/program.ts';
import { findingOf, handlersOf, judgeAll } from './report.ts';
import { runHandler } from './run-handler.ts';
import { readSinks } from './sinks.ts';
import { Places } from './source-map.ts';
import type { Target } from './target.ts';

/** How the files of a language are told, and those among them that nobody serves. */
interface Language {
  readonly sources: RegExp;
  readonly ignored: RegExp;
  readonly tests: RegExp;
}

const javaScript: Language = {
  sources: /\.[cm]?[jt]sx?$/,
  ignored: /\.d\.[cm]?ts$|(?:^|\/)node_modules\//,
  tests: /(?:^|\/)(?:tests?|__tests__|__mocks__|fixtures|examples?|benchmarks?)\/|\.(?:test|spec)\.[cm]?[jt]sx?$/i,
};

const python: Language = {
  sources: /\.py$/,
  ignored: /(?:^|\/)(?:node_modules|site-packages|\.venv|venv)\//,
  tests: /(?:^|\/)(?:tests?|fixtures|examples?|benchmarks?)\/|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/i,
};

export interface AnalysisOptions {
  readonly limits?: TaintLimits;
  /** Files that the parser did not survive before. */
  readonly avoid?: readonly string[];
  /** Called before a file is parsed, so that it is known which one it was. */
  readonly onParse?: (path: string) => void;
}

interface Analysis {
  readonly result: Omit<TaintResult, 'notAnalysed'>;
  readonly incomplete: readonly string[];
}

/** The analysis itself, in this process. The parser is native code: what may crash it is given to `inspectTaint`. */
export async function analyseTree(tree: SourceTree, options: AnalysisOptions = {}): Promise<TaintResult> {
  const { limits = defaultTaintLimits } = options;
  const deadlineMs = Date.now() + limits.totalMs;
  const avoid = options.avoid ?? [];
  const onParse = options.onParse ?? (() => {});
  const programs: readonly (readonly [Language, () => Target])[] = [
    [javaScript, () => new JavaScriptProgram(tree, readSinks(), { limits, avoid, onParse })],
    [python, () => new PythonProgram(tree, readSinks('python-sinks'), limits)],
  ];
  const analyses: Analysis[] = [];
  for (const [language, open] of programs) {
    const sources = tree.files.filter((path) => language.sources.test(path) && !language.ignored.test(path));
    if (sources.length === 0) continue;
    analyses.push(await analyseProgram(tree, open(), { language, sources, limits, deadlineMs }));
  }
  const results = analyses.map(({ result }) => result);
  const handlers = results.flatMap((result) => result.handlers);
  const skipped = results.flatMap((result) => result.skipped);
  const incomplete = analyses.flatMap((analysis) => analysis.incomplete);
  return {
    findings: results.flatMap((result) => result.findings),
    notAnalysed: notAnalysedFindings({ handlers: handlers.length, skipped, incomplete }),
    handlers,
    analysed: results.flatMap((result) => result.analysed),
    skipped,
  };
}

interface Task {
  readonly language: Language;
  readonly sources: readonly string[];
  readonly limits: TaintLimits;
  readonly deadlineMs: number;
}

async function analyseProgram(tree: SourceTree, program: Target, task: Task): Promise<Analysis> {
  const { language, sources, limits, deadlineMs } = task;
  const machine = new Machine(program, limits, deadlineMs);
  const incomplete: string[] = [];

  for (const path of inOrder(tree, sources)) {
    await nextTurn();
    if (machine.isExhausted) {
      incomplete.push(path);
      continue;
    }
    const index = program.load(path);
    if (index === undefined || language.tests.test(path) || !program.mayRegister(index)) continue;
    if (!discover(machine, program, index, limits.moduleSteps)) incomplete.push(path);
  }
  await serve(machine, limits, incomplete, program);

  const reporter = { program, places: new Places(tree) };
  const purposes = purposesOf(machine);
  const findings = judgeAll(
    machine.hits,
    (tool) => purposes.get(tool ?? '') ?? { name: tool ?? '', description: '' },
  ).map((judged) => findingOf(reporter, judged));
  const analysed = program.analysed;
  return {
    result: {
      findings,
      handlers: machine.registrations.flatMap((registration) => handlersOf(reporter, registration, machine.listed)),
      analysed,
      skipped: skippedFiles(program, sources, analysed),
    },
    incomplete,
  };
}

/** Runs every handler, and in the end the definitions that no handler led to. */
async function serve(machine: Machine, limits: TaintLimits, incomplete: string[], program: Target): Promise<void> {
  let done = 0;
  const runAll = async () => {
    for (; done < machine.registrations.length; done += 1) {
      const registration = machine.registrations[done];
      if (registration === undefined) continue;
      await nextTurn();
      const isComplete =
        !machine.isExhausted && withinBudget(machine, limits.handlerSteps, () => runHandler(machine, registration));
      if (!isComplete)
        incomplete.push(`${program.pathOf(registration.module)} (${registration.name ?? registration.kind})`);
    }
  };
  await runAll();
  for (const definition of machine.definitions) {
    const closures = [...definition.fields.values()].flatMap((value) => value.closures);
    if (closures.every((closure) => !machine.served.has(closure.function.id))) registerDefinition(machine, definition);
  }
  await runAll();
}

function purposesOf(machine: Machine): ReadonlyMap<string, Purpose> {
  const purposes = new Map<string, Purpose>();
  for (const [name, { description }] of machine.listed) purposes.set(name, { name, description });
  for (const { name, description } of machine.registrations) {
    if (name !== undefined && (description !== '' || !purposes.has(name))) purposes.set(name, { name, description });
  }
  return purposes;
}

/** What is started first comes first: when a flow is in two files, that is where it is told. */
function inOrder(tree: SourceTree, sources: readonly string[]): string[] {
  const manifest = readJson(tree, 'package.json');
  const record = typeof manifest === 'object' && manifest !== null ? (manifest as Record<string, unknown>) : {};
  const started = [record.main, record.bin, record.module]
    .flatMap((entry) => (typeof entry === 'object' && entry !== null ? Object.values(entry) : [entry]))
    .filter((entry): entry is string => typeof entry === 'string')
    .map((entry) => entry.replace(/^\.\//, ''));
  const known = new Set(sources);
  return [...new Set([...started.filter((path) => known.has(path)), ...sources])];
}

function skippedFiles(program: Target, sources: readonly string[], analysed: readonly string[]): SkippedFile[] {
  const told = new Set([...analysed, ...program.skipped.map(({ path }) => path)]);
  const unreached = sources
    .filter((path) => !told.has(path))
    .map((path): SkippedFile => ({ path, reason: 'not-reached' }));
  return [...program.skipped, ...unreached];
}
