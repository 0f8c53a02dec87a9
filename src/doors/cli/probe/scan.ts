import { resolve } from 'node:path';
import { describeError, type ExitCode, exitCodes, UsageError } from '../../../base/errors.ts';
import type { Severity } from '../../../base/finding-schema.ts';
import { mebibyte } from '../../../base/limits.ts';
import { readRegularFile } from '../../../base/regular-file.ts';
import { isAtLeast } from '../../../base/report-schema.ts';
import type { ScannerDefinition } from '../../../instruments/probe/contract.ts';
import type { KeptScan } from '../../../instruments/probe/results/keep.ts';
import type { ProbeFlags } from '../../settings/index.ts';
import { recordedScan } from '../../tools/probe/recorded-scan.ts';
import type { Door } from '../definition.ts';
import { readSeverity } from '../scan/wishes.ts';
import { tellPhases } from '../tell-phases.ts';
import { formatJson } from '../terminal/index.ts';
import { checkScannerInput, fromFile, mayComeFromFile, readScannerInput } from './flags.ts';
import { withProbe } from './open.ts';
import { showScan } from './show-scan.ts';

/** `hotcell probe nmap …`: one scan by one scanner. */

export interface ScanWishes extends ProbeFlags {
  readonly json: boolean;
  readonly failOn?: string | undefined;
}

const largestFileBytes = 4 * mebibyte;

export async function readTextFile(flag: string, path: string, folder: string): Promise<string> {
  try {
    const read = await readRegularFile(resolve(folder, path), { mostBytes: largestFileBytes, links: 'followed' });
    if (!read.isWhole) throw new Error(`it is larger than ${largestFileBytes} bytes`);
    return read.bytes.toString();
  } catch (cause) {
    throw new UsageError(`--${flag} ${JSON.stringify(path.slice(0, 200))}: ${describeError(cause)}`, { cause });
  }
}

/** What was given, with what stands in files read from there. */
export async function readInput(
  scanner: ScannerDefinition,
  options: Readonly<Record<string, unknown>>,
  words: readonly string[],
  folder: string,
): Promise<Readonly<Record<string, unknown>>> {
  const given = Object.entries(readScannerInput(scanner, options, words));
  const read = given.map(async ([field, value]): Promise<[string, unknown]> => {
    if (typeof value !== 'string') return [field, value];
    if (fromFile.has(field)) return [field, await readTextFile(field, value, folder)];
    if (!mayComeFromFile.has(field) || !value.startsWith('@')) return [field, value];
    return [field, (await readTextFile(field, value.slice(1), folder)).trim()];
  });
  return checkScannerInput(scanner, Object.fromEntries(await Promise.all(read)));
}

/** As bad as the threshold, or not whole, or neither. */
export function exitCodeOfScans(scans: readonly KeptScan[], failOn: Severity): ExitCode {
  const isBad = scans.some(({ findings }) => findings.some(({ severity }) => isAtLeast(severity, failOn)));
  if (isBad) return exitCodes.findings;
  // Of nothing at all no more is known than of a scan that was cut.
  const isWhole = scans.length > 0 && scans.every(({ result }) => result.status === 'completed');
  return isWhole ? exitCodes.clean : exitCodes.incomplete;
}

export async function runScannerCommand(
  scanner: ScannerDefinition,
  wishes: ScanWishes,
  options: Readonly<Record<string, unknown>>,
  words: readonly string[],
  door: Door,
): Promise<number> {
  const failOn = readSeverity(wishes.failOn);
  const input = await readInput(scanner, options, words, door.caller.folder);
  const progress = tellPhases(door, door.errorTerminal.style.faint);
  return withProbe(wishes, door, async ({ probe, record, signal }) => {
    const kept = await recordedScan(probe, scanner, input, { record, signal, progress });
    door.stdout.write(wishes.json ? formatJson(kept.result) : showScan(kept, door.terminal));
    return exitCodeOfScans([kept], failOn);
  });
}
