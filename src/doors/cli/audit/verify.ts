import { exitCodes } from '../../../base/errors.ts';
import { type LedgerProblem, type VerifyReport, verifyLedger } from '../../../engine/ledger/index.ts';
import type { Door } from '../definition.ts';
import { withInterrupts } from '../interrupts.ts';
import { count, formatJson, type Terminal } from '../terminal/index.ts';
import { trustedKeys } from './keys-given.ts';
import { type LedgerPlace, ledgerFolder, readGivenFile } from './place.ts';

export interface VerifyWishes extends LedgerPlace {
  readonly from?: string | undefined;
  readonly key: readonly string[];
  readonly json: boolean;
}

export function problemLine({ sequence, upTo, file, offset, why }: LedgerProblem): string {
  const entry = sequence === null ? '' : upTo === null ? `entry ${sequence}` : `entry ${sequence} to ${upTo}`;
  const place = file === null ? '' : `${file}${offset === null ? '' : `, byte ${offset}`}`;
  const where = [entry, place === '' ? '' : `(${place})`].filter((part) => part !== '').join(' ');
  return where === '' ? why : `${where}: ${why}`;
}

function renderReport(report: VerifyReport, areItsOwn: boolean, { style, symbols }: Terminal): string {
  const lines: string[] = [];
  const { first, size, checkpoints, lastCheckpoint, uncovered, clockSteps, unacknowledged } = report;
  if (first === null) {
    lines.push(
      `${style.good(symbols.good)} ${count(size, 'entry', 'entries')}, ${count(checkpoints, 'checkpoint')}, nothing was changed`,
    );
    if (lastCheckpoint !== null) lines.push(`  root ${lastCheckpoint.root} at ${lastCheckpoint.size}`);
  } else {
    lines.push(`${style.bad(symbols.bad)} ${style.strong('the first bad entry')}: ${problemLine(first)}`);
    for (const problem of report.problems.slice(1)) lines.push(`  also ${problemLine(problem)}`);
    lines.push(`  what is before it fits: ${count(size, 'entry', 'entries')}`);
  }
  if (uncovered > 0)
    lines.push(style.warn(`${symbols.warn} the last ${uncovered} are not vouched for by a checkpoint yet`));
  if (clockSteps.count > 0) {
    lines.push(
      style.warn(
        `${symbols.warn} the clock went backwards ${clockSteps.count} times, first at entry ${clockSteps.first}`,
      ),
    );
  }
  for (const { from, to } of unacknowledged) {
    lines.push(
      style.warn(`${symbols.warn} entries ${from} to ${to} may never have been acknowledged to who wrote them`),
    );
  }
  if (areItsOwn) {
    lines.push(
      style.faint('The public keys came from the ledger itself. Against somebody who can replace those too, keep them'),
      style.faint('elsewhere (hotcell audit keys) and give them with --key, and a checkpoint with --from.'),
    );
  }
  return `${lines.join('\n')}\n`;
}

export async function verify(wishes: VerifyWishes, door: Door): Promise<number> {
  const folder = ledgerFolder(wishes, door);
  const { keys, areItsOwn } = await trustedKeys(wishes.key, folder, door);
  const from = wishes.from === undefined ? {} : { from: await readGivenFile(wishes.from, door) };
  return withInterrupts(async ({ signal }) => {
    const report = await verifyLedger(folder, { publicKeys: keys, ...from, signal });
    door.stdout.write(
      wishes.json
        ? formatJson({ ...report, keysAreItsOwn: areItsOwn })
        : renderReport(report, areItsOwn, door.terminal),
    );
    return report.isIntact ? exitCodes.clean : exitCodes.findings;
  });
}
