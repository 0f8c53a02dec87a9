import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeError, exitCodes, UsageError } from '../../../base/errors.ts';
import type { RenderInput } from '../../../evidence/renderer.ts';
import { html } from '../../../evidence/renderers/html.ts';
import { runFiles } from '../../../instruments/analyze/run/write-run.ts';
import { ruleCatalogue } from '../../../instruments/analyze/scan/index.ts';
import { type LoadedRun, loadRun } from '../../tools/runs/load-run.ts';
import type { Door } from '../definition.ts';
import { renderReport } from '../scan/render.ts';
import { readFormat, readOutputs } from '../scan/wishes.ts';
import { writeFileOrFail } from '../scan/words.ts';
import { openPage } from './open-page.ts';
import { renderResult } from './render.ts';

export interface ReportFlags {
  readonly format?: string | undefined;
  readonly output: readonly string[];
  readonly open: boolean;
  readonly details: boolean;
}

/** The bill of materials is no part of the report; it lies beside it. */
async function readBom(folder: string): Promise<object | null> {
  const path = join(folder, runFiles.cyclonedx);
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const bom: unknown = JSON.parse(text);
    if (typeof bom === 'object') return bom;
  } catch (cause) {
    throw new UsageError(`${path} is not JSON: ${describeError(cause)}`, { cause });
  }
  throw new UsageError(`${path} is no bill of materials`);
}

function renderText({ report, folder, name, path }: LoadedRun, { terminal }: Door, isDetailed: boolean): string {
  const isRun = report.subjects.some(({ analysis }) => analysis !== undefined);
  if (!isRun) return renderReport(report, terminal, { isDetailed });
  const kept = basename(path) === runFiles.json ? { folder, name } : null;
  return renderResult(report, terminal, { isDetailed, isInterrupted: false, kept });
}

/** The page that the run made; one that was brought here alone gets a new one beside it. */
async function pageOf({ folder, path }: LoadedRun, input: RenderInput): Promise<string> {
  const made = join(folder, runFiles.html);
  const isMade = basename(path) === runFiles.json && (await stat(made).catch(() => null))?.isFile() === true;
  if (isMade) return made;
  const page = path.replace(/(\.json)?$/, '.html');
  await writeFileOrFail(page, folder, html.render(input));
  return page;
}

export async function runReportCommand(flags: ReportFlags, words: readonly string[], door: Door): Promise<number> {
  const { stdout, stderr, caller } = door;
  const format = readFormat(flags.format);
  const outputs = readOutputs(flags.output);
  const run = await loadRun(words[0] ?? '', door);
  const bom = await readBom(run.folder);
  const { report } = run;
  const input = { report, rules: ruleCatalogue(), boms: report.subjects.map(() => bom) };
  for (const { path, renderer } of outputs) await writeFileOrFail(path, caller.folder, renderer.render(input));
  if (format !== null) stdout.write(format.render(input));
  else if (outputs.length === 0 && !flags.open) stdout.write(renderText(run, door, flags.details));
  if (flags.open) {
    const page = await pageOf(run, input);
    if (!(await openPage(page, caller))) stderr.write('hotcell: there is no desktop to open a page with\n');
    stdout.write(`${page}\n`);
  }
  return exitCodes.clean;
}
