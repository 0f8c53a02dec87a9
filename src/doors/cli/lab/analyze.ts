import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describeError, exitCodes, UsageError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import type { Depth } from '../../../instruments/lab/contract.ts';
import type { Lab } from '../../../instruments/lab/lab.ts';
import type { ReportFormat } from '../../../instruments/lab/report/index.ts';
import type { LabReport } from '../../../instruments/lab/report/schema.ts';
import { type LabFlags, readLabOptions } from '../../settings/index.ts';
import { openToolLab } from '../../tools/open-tool-lab.ts';
import { openToolLedger } from '../../tools/open-tool-ledger.ts';
import { untilInterrupted } from '../analyze/interruptible.ts';
import type { Door } from '../definition.ts';
import { exitCodeOf } from '../interrupts.ts';

/** `hotcell lab analyze`: files in, reports out. */

export interface LabAnalyzeWishes {
  readonly depth: Depth;
  readonly format: ReportFormat;
  readonly output?: string | undefined;
  readonly zipPassword: readonly string[];
  readonly detonate: boolean;
  readonly detonateSeconds: number;
  readonly toolTimeout?: number | undefined;
  readonly fresh: boolean;
}

const endings: Readonly<Record<ReportFormat, string>> = {
  terminal: 'txt',
  json: 'json',
  markdown: 'md',
  html: 'html',
  stix: 'stix.json',
};

/** A word is a file of this machine where there is one, and the name of a sample otherwise. */
async function placeFile(word: string, lab: Lab, door: Door, signal: AbortSignal): Promise<string> {
  const path = resolve(door.caller.folder, word);
  const isHere = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isHere) return word;
  if (lab.options.mode === 'local' && lab.options.confinement !== 'confined') return path;
  const { bringFile } = await import('../../../instruments/lab/operations/bring-file.ts');
  const { path: there } = await bringFile(lab, { hostPath: path, isOverwriteAllowed: true, signal });
  return there;
}

function isWhole({ analysers, tools, detonation, evidence }: LabReport): boolean {
  const ends = ['done', 'clean', 'findings', 'not-applicable', 'partial'];
  return (
    evidence.is_unchanged &&
    [...analysers, ...tools].every(({ status }) => ends.includes(status)) &&
    detonation?.status !== 'failed'
  );
}

async function writeReport(
  text: string,
  word: string,
  count: number,
  wishes: LabAnalyzeWishes,
  door: Door,
): Promise<void> {
  if (wishes.output === undefined) {
    door.stdout.write(text);
    return;
  }
  const target = resolve(door.caller.folder, wishes.output);
  const isFolder =
    count > 1 ||
    (await stat(target).then(
      (found) => found.isDirectory(),
      () => false,
    ));
  const file = isFolder ? join(target, `${basename(word)}.${endings[wishes.format]}`) : target;
  try {
    if (isFolder) await mkdir(target, { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`--output: ${describeError(error)}`);
  }
  door.stderr.write(`hotcell: ${file}\n`);
}

export async function runLabAnalyze(
  wishes: LabAnalyzeWishes,
  flags: LabFlags,
  words: readonly string[],
  door: Door,
): Promise<number> {
  const { caller, settings } = door;
  // A person who names a file means that file.
  const options = { ...readLabOptions(flags, caller, settings), isPrivateRefused: false };
  return untilInterrupted(door, async (signal, interrupts) => {
    await using ledger = openToolLedger(settings.values);
    await using opened = openToolLab(options);
    const lab = await opened.open();
    const [{ analyseSample }, { noBox }, { renderLabReport }] = await Promise.all([
      import('../../../instruments/lab/analysis/analyse.ts'),
      import('../../../instruments/lab/analysis/run-tools.ts'),
      import('../../../instruments/lab/report/index.ts'),
    ]);
    let exitCode: number = exitCodes.clean;
    for (const word of words) {
      const file = await placeFile(word, lab, door, signal);
      const report = await analyseSample(lab, {
        file,
        depth: wishes.depth,
        toolTimeoutMs: wishes.toolTimeout === undefined ? null : wishes.toolTimeout * secondMs,
        passwords: wishes.zipPassword,
        isDetonated: wishes.detonate,
        detonationSeconds: wishes.detonateSeconds,
        isFresh: wishes.fresh,
        signal,
      });
      await ledger.record({
        tool: 'lab analyze',
        toolset: 'lab',
        what: 'analyze',
        action: 'lab.analyze',
        details: { sha256: report.file.sha256, depth: wishes.depth, detonate: wishes.detonate },
      });
      if (!isWhole(report)) exitCode = exitCodes.incomplete;
      const isUnheld = report.not_run.some(({ because }) => because.startsWith(noBox));
      if (isUnheld || report.detonation?.status === 'failed') exitCode = exitCodes.noIsolation;
      const terminal = wishes.output === undefined ? door.terminal : null;
      const text = await renderLabReport(report, wishes.format, {
        width: terminal?.width ?? 100,
        style: terminal?.style ?? null,
      });
      await writeReport(text, word, words.length, wishes, door);
    }
    const received = interrupts.received();
    return received === null ? exitCode : exitCodeOf(received);
  });
}
