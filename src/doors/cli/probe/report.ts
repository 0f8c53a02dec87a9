import { exitCodes, UsageError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { makeReport } from '../../../instruments/probe/report/make-report.ts';
import { type KeptScan, listScans, readScan } from '../../../instruments/probe/results/keep.ts';
import { readVersion } from '../../tools/version.ts';
import type { Door } from '../definition.ts';
import { readFormat, readOutputs } from '../scan/wishes.ts';
import { count, formatMs, renderRows } from '../terminal/index.ts';
import { showReport } from './run.ts';

/** `hotcell probe report`: scans that were kept, as a report. */

export interface ReportWishes {
  readonly list: boolean;
  readonly all: boolean;
  readonly format?: string | undefined;
  readonly output: readonly string[];
  readonly details: boolean;
}

const listed = 50;

async function readThose(home: string, ids: readonly string[]): Promise<readonly KeptScan[]> {
  return Promise.all(ids.map((id) => readScan(home, id)));
}

/** One that cannot be read (a scan that was killed) does not keep the others from being listed. */
async function readWhole(home: string, ids: readonly string[]): Promise<readonly KeptScan[]> {
  const read = await Promise.all(ids.map((id) => readScan(home, id).catch(() => null)));
  return read.filter((scan) => scan !== null);
}

export async function runProbeReport(wishes: ReportWishes, words: readonly string[], door: Door): Promise<number> {
  const { home } = door.settings.values;
  const format = readFormat(wishes.format);
  const outputs = readOutputs(wishes.output);
  const ids = await listScans(home);
  if (wishes.list) {
    const scans = await readWhole(home, ids.slice(0, listed));
    const rows = scans.map(({ result, findings }) => [
      door.terminal.style.code(result.id),
      result.tool,
      result.status,
      formatMs(result.elapsed_ms),
      count(findings.length, 'finding'),
      forTerminal(untrusted(result.target, 200)),
    ]);
    door.stdout.write(rows.length === 0 ? 'no scan is kept\n' : renderRows(rows, { width: door.terminal.width }));
    if (ids.length > listed) door.stdout.write(`  and ${ids.length - listed} older; --all takes them all\n`);
    return exitCodes.clean;
  }
  const wanted = words.length > 0 ? words.filter((word) => word !== 'latest') : [];
  const scans = wishes.all ? await readWhole(home, ids) : await readThose(home, wanted);
  const newest = scans.length > 0 ? scans : (await readWhole(home, ids.slice(0, 10))).slice(0, 1);
  if (newest.length === 0) {
    throw new UsageError('no scan is kept', { hint: 'hotcell probe nmap … keeps one' });
  }
  const report = makeReport(newest, await readVersion());
  await showReport(report, door, { format, outputs, isDetailed: wishes.details });
  return exitCodes.clean;
}
