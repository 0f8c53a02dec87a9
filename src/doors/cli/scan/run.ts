import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeError, exitCodes, UsageError } from '../../../base/errors.ts';
import { isAtLeast, type Report } from '../../../base/report-schema.ts';
import { emptyBaseline, parseBaseline, writeBaseline } from '../../../evidence/baseline.ts';
import {
  advisorySources,
  type Plan,
  planScan,
  ruleCatalogue,
  type ScanContext,
  scan,
  scanFolders,
} from '../../../instruments/analyze/scan/index.ts';
import type { Door } from '../definition.ts';
import { readVersion } from '../version.ts';
import { explainRule } from './explain.ts';
import { renderPlan } from './plan.ts';
import { Progress } from './progress.ts';
import { renderReport } from './render.ts';
import { readFormat, readOutputs, readSeverity, type ScanWishes } from './wishes.ts';

async function readBaseline(path: string | undefined, folder: string) {
  if (path === undefined) return emptyBaseline;
  const text = await readFile(resolve(folder, path), 'utf8').catch((cause: unknown) => {
    throw new UsageError(`cannot read the baseline ${JSON.stringify(path)}: ${describeError(cause)}`, { cause });
  });
  return parseBaseline(text, path);
}

/** Advisories alone do not count as missing where the caller says that nobody could be asked. */
function isComplete(report: Report, offlineOk: boolean): boolean {
  if (report.isComplete || !offlineOk) return report.isComplete;
  const unknown = report.subjects.flatMap(({ checks }) => checks.filter(({ is }) => is === 'unknown'));
  return unknown.every(({ id }) => id.startsWith('advisories'));
}

async function makePlan(words: readonly string[], door: Door): Promise<Plan> {
  const { trailing, caller } = door;
  const own = words.slice(0, words.length - trailing.length);
  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
  return planScan(own, trailing, {
    cwd: caller.folder,
    home: caller.homeFolder,
    platform,
    environment: caller.environment,
    searchPath: (caller.environment.PATH ?? '').split(':').filter((folder) => folder.startsWith('/')),
  });
}

async function makeContext(wishes: ScanWishes, door: Door, progress: Progress): Promise<ScanContext> {
  const { caller, settings } = door;
  const fetching = {
    cwd: caller.folder,
    home: caller.homeFolder,
    environment: caller.environment,
    isOffline: wishes.offline,
    ...scanFolders(settings.values.home),
  };
  return {
    ...fetching,
    now: new Date(),
    toolVersion: await readVersion(),
    sources: await advisorySources(settings.values.home, fetching),
    baseline: await readBaseline(wishes.baseline, caller.folder),
    resolvesDependencies: !wishes.offline,
    onProgress: (what) => progress.say(what),
  };
}

async function writeFileOrFail(path: string, folder: string, text: string): Promise<void> {
  await writeFile(resolve(folder, path), text).catch((cause: unknown) => {
    throw new UsageError(`cannot write ${JSON.stringify(path)}: ${describeError(cause)}`, { cause });
  });
}

export async function runScanCommand(wishes: ScanWishes, words: readonly string[], door: Door): Promise<number> {
  const { terminal, errorTerminal, stdout, stderr, caller } = door;
  if (wishes.explain !== undefined) {
    stdout.write(explainRule(wishes.explain, ruleCatalogue(), terminal));
    return exitCodes.clean;
  }
  const failOn = readSeverity(wishes.failOn);
  const format = readFormat(wishes.format);
  const outputs = readOutputs(wishes.output);
  const plan = await makePlan(words, door);
  for (const problem of plan.problems) stderr.write(`${errorTerminal.style.warn(`hotcell: ${problem}`)}\n`);
  if (wishes.list || plan.targets.length === 0) {
    stdout.write(renderPlan(plan, terminal));
    return plan.targets.length === 0 && !wishes.list ? exitCodes.usage : exitCodes.clean;
  }
  const progress = new Progress(stderr, errorTerminal.width !== Number.POSITIVE_INFINITY, errorTerminal);
  let scanned: Awaited<ReturnType<typeof scan>>;
  let context: ScanContext;
  try {
    context = await makeContext(wishes, door, progress);
    scanned = await scan(plan, context);
  } finally {
    progress.close();
  }
  const { report, boms } = scanned;
  const input = { report, rules: ruleCatalogue(), boms };
  for (const { path, renderer } of outputs) await writeFileOrFail(path, caller.folder, renderer.render(input));
  if (wishes.writeBaseline !== undefined) {
    await writeFileOrFail(wishes.writeBaseline, caller.folder, writeBaseline(report, context.baseline));
  }
  stdout.write(format === null ? renderReport(report, terminal, { isDetailed: wishes.details }) : format.render(input));
  const isBad = report.subjects.some(({ findings }) => findings.some(({ severity }) => isAtLeast(severity, failOn)));
  if (isBad && wishes.writeBaseline === undefined) return exitCodes.findings;
  return isComplete(report, wishes.offlineOk) ? exitCodes.clean : exitCodes.incomplete;
}
