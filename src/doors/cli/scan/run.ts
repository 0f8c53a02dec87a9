import { exitCodes } from '../../../base/errors.ts';
import { isAtLeast, type Report } from '../../../base/report-schema.ts';
import { writeBaseline } from '../../../evidence/baseline.ts';
import { ruleCatalogue, type ScanContext, scan } from '../../../instruments/analyze/scan/index.ts';
import { makeContext, makePlan } from '../../tools/runs/prepare.ts';
import type { Door } from '../definition.ts';
import { explainRule } from './explain.ts';
import { renderPlan } from './plan.ts';
import { Progress } from './progress.ts';
import { renderReport } from './render.ts';
import { readFormat, readOutputs, readSeverity, type ScanWishes } from './wishes.ts';
import { ownWords, writeFileOrFail } from './words.ts';

/** Advisories alone do not count as missing where the caller says that nobody could be asked. */
function isComplete(report: Report, offlineOk: boolean): boolean {
  if (report.isComplete || !offlineOk) return report.isComplete;
  const unknown = report.subjects.flatMap(({ checks }) => checks.filter(({ is }) => is === 'unknown'));
  return unknown.every(({ id }) => id.startsWith('advisories'));
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
  const plan = await makePlan(ownWords(words, door), door.trailing, door);
  for (const problem of plan.problems) stderr.write(`${errorTerminal.style.warn(`hotcell: ${problem}`)}\n`);
  if (wishes.list || plan.targets.length === 0) {
    stdout.write(renderPlan(plan, terminal));
    return plan.targets.length === 0 && !wishes.list ? exitCodes.usage : exitCodes.clean;
  }
  const progress = new Progress(stderr, errorTerminal.width !== Number.POSITIVE_INFINITY, errorTerminal);
  let scanned: Awaited<ReturnType<typeof scan>>;
  let context: ScanContext;
  try {
    context = await makeContext(wishes, door, (what) => progress.say(what));
    scanned = await scan(plan, context);
  } finally {
    progress.close();
  }
  const { report, boms } = scanned;
  const { recordReport } = await import('../../tools/runs/record-report.ts');
  await recordReport(report, door.settings.values, { tool: 'scan', what: 'scan' });
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
