import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { describeError, exitCodes, UsageError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import {
  type Applied,
  applyPlan,
  Backups,
  type PlannedFile,
  planProtect,
  planUndo,
} from '../../../instruments/guard/protect/index.ts';
import { ledgerOptions } from '../../settings/index.ts';
import type { Door } from '../definition.ts';
import { count, formatJson } from '../terminal/index.ts';
import { chooseFiles } from './choose-files.ts';
import { plansAsJson, renderPlans } from './render.ts';
import { checkWishes, type ProtectWishes, readWrapOptions } from './wishes.ts';

/** `hotcell protect`: shows, asks, then writes. */

async function isAgreed(door: Door, files: number): Promise<boolean> {
  const asking = createInterface({ input: door.stdin, output: door.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`Change ${count(files, 'file')} now? [y/N] `)).trim());
  } finally {
    asking.close();
  }
}

interface Failed {
  readonly path: string;
  readonly why: string;
}

async function applyAll(plans: readonly PlannedFile[], door: Door) {
  const { home } = door.settings.values;
  const { Ledger } = await import('../../../engine/ledger/index.ts');
  const onProblem = (problem: string): void => void door.stderr.write(`hotcell: ledger: ${problem}\n`);
  await using ledger = await Ledger.open({ ...ledgerOptions(door.settings.values), onProblem });
  const options = { home, ledger, session: randomBytes(8).toString('hex') };
  const [applied, failed]: [Applied[], Failed[]] = [[], []];
  for (const plan of plans) {
    try {
      applied.push(await applyPlan(plan, options));
    } catch (error) {
      // What another program did to one file is no reason to leave the others.
      if (!(error instanceof UsageError)) throw error;
      failed.push({ path: plan.path, why: describeError(error) });
    }
  }
  return { applied, failed };
}

function checkNames({ server }: ProtectWishes, plans: readonly PlannedFile[]): void {
  const known = plans.flatMap(({ servers }) => servers.map(({ name }) => name));
  const strange = server.find((name) => !known.includes(name));
  if (strange === undefined) return;
  const names = [...new Set(known)].slice(0, 20).map((name) => forTerminal(untrusted(name, 100)));
  throw new UsageError(`--server ${strange}: there is none of this name`, {
    hint: `there are ${names.join(', ') || 'none'}`,
  });
}

export async function runProtectCommand(wishes: ProtectWishes, door: Door): Promise<number> {
  checkWishes(wishes);
  const backups = new Backups(door.settings.values.home);
  const chosen = await chooseFiles(wishes, door, backups);
  const { server } = wishes;
  const plans = wishes.undo
    ? await planUndo(chosen.files, {
        backups,
        isForced: wishes.force,
        ...(server.length === 0 ? {} : { servers: server }),
      })
    : await planProtect(chosen.files, readWrapOptions(wishes, door));
  checkNames(wishes, plans);
  const changes = plans.filter(({ is }) => is === 'changed');
  const isRefused = plans.some(({ is }) => is === 'refused');
  const code = isRefused ? exitCodes.incomplete : exitCodes.clean;
  const say = (text: string): void => void (wishes.json ? undefined : door.stdout.write(text));
  const tell = (done: object): void =>
    void (
      wishes.json && door.stdout.write(formatJson({ files: plansAsJson(plans), skipped: chosen.skipped, ...done }))
    );

  say(renderPlans(plans, chosen, door.terminal));
  if (changes.length === 0) {
    say(chosen.files.length === 0 ? 'no config of an MCP client was found\n' : 'nothing to do\n');
    tell({ applied: [], failed: [] });
    return code;
  }
  if (wishes.dryRun) {
    say(`\n${count(changes.length, 'file')} would change\n`);
    tell({ applied: [], failed: [] });
    return code;
  }
  if (!wishes.yes && !door.isInteractive) {
    throw new UsageError('nobody is there to say yes: nothing was changed', {
      hint: 'add --yes, or look with --dry-run',
    });
  }
  if (!wishes.yes && !(await isAgreed(door, changes.length))) {
    say('nothing was changed\n');
    tell({ applied: [], failed: [] });
    return exitCodes.usage;
  }
  const { applied, failed } = await applyAll(changes, door);
  for (const { path, why } of failed) door.stderr.write(`hotcell: ${forTerminal(untrusted(path))}: ${why}\n`);
  say(
    `\n${count(applied.length, 'file')} changed${wishes.undo ? '' : '; restart the clients, hotcell protect --undo takes it back'}\n`,
  );
  tell({ applied, failed });
  return failed.length > 0 ? exitCodes.incomplete : code;
}
