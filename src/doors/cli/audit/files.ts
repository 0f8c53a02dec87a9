import { resolve } from 'node:path';
import { exitCodes } from '../../../base/errors.ts';
import { checkFiles, exportLedger, Ledger, publicKeyText, rotateKeys } from '../../../engine/ledger/index.ts';
import type { Door } from '../definition.ts';
import { count, formatBytes, formatJson } from '../terminal/index.ts';
import { type LedgerPlace, ledgerFolder } from './place.ts';
import { durationMs } from './since.ts';

interface Shown extends LedgerPlace {
  readonly json: boolean;
}

export async function fsck(wishes: Shown & { readonly repair: boolean }, door: Door): Promise<number> {
  const folder = ledgerFolder(wishes, door);
  const report = await checkFiles(folder, { repair: wishes.repair });
  const { style, symbols } = door.terminal;
  if (wishes.json) door.stdout.write(formatJson(report));
  else if (report.checks.length === 0) {
    door.stdout.write(`${style.good(symbols.good)} ${count(report.size, 'entry', 'entries')}, all files are whole\n`);
  } else {
    for (const { name, what, remedy, isRepaired } of report.checks) {
      const mark = isRepaired ? style.good(symbols.good) : style.bad(symbols.bad);
      const next = isRepaired
        ? `repaired: ${remedy}`
        : remedy === null
          ? 'somebody has to decide'
          : `--repair: ${remedy}`;
      door.stdout.write(`${mark} ${name}: ${what}; ${next}\n`);
    }
  }
  return report.isClean ? exitCodes.clean : exitCodes.findings;
}

export async function exportTo(wishes: Shown, words: readonly string[], door: Door): Promise<number> {
  const to = resolve(door.caller.folder, words[0] ?? '');
  const report = await exportLedger(ledgerFolder(wishes, door), { to });
  const text = `${count(report.size, 'entry', 'entries')}, ${formatBytes(report.bytes)} in ${report.folder}: entries, checkpoints and public keys, without any secret\n`;
  door.stdout.write(wishes.json ? formatJson(report) : text);
  return exitCodes.clean;
}

export async function showKeys(wishes: LedgerPlace, door: Door): Promise<number> {
  door.stdout.write(await publicKeyText(ledgerFolder(wishes, door)));
  return exitCodes.clean;
}

export async function rotate(wishes: Shown & { readonly overlap: string }, door: Door): Promise<number> {
  const folder = ledgerFolder(wishes, door);
  const rotation = await rotateKeys(folder, { overlapMs: durationMs(wishes.overlap) });
  const text = `from  ${rotation.from}\nto    ${rotation.to}\nboth sign until ${rotation.until}\n`;
  door.stdout.write(wishes.json ? formatJson(rotation) : text);
  return exitCodes.clean;
}

/** Made now, so that there is something to keep elsewhere. */
export async function makeCheckpoint(wishes: LedgerPlace, door: Door): Promise<number> {
  await using ledger = await Ledger.open({ folder: ledgerFolder(wishes, door) });
  door.stdout.write((await ledger.checkpoint()).note);
  return exitCodes.clean;
}
