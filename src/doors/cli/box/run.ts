import { exitCodes, UsageError } from '../../../base/errors.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import type { ExitStatus } from '../../../engine/box/contract.ts';
import { readPolicy } from '../../../engine/policy/index.ts';
import type { Door } from '../definition.ts';
import { exitCodeOf, type Interrupts, withInterrupts } from '../interrupts.ts';
import { renderNotices } from '../policy/render.ts';
import { formatJson } from '../terminal/index.ts';
import { adjustPolicy, readEnvironment, readNetworkMode, readTime, readWorkFolder } from './adjust-policy.ts';
import { renderClosingLine } from './closing-line.ts';
import { passInput, passOutput } from './pass-through.ts';
import { openPlain, type RunPlace } from './plain.ts';
import { openWatched } from './watched.ts';
import type { BoxWishes } from './wishes.ts';

interface Command {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A folder that is itself under study can hold settings: whoever starts a box there is told when they are used. */
function noteForeignSettings({ settings, stderr, errorTerminal }: Door): void {
  for (const key of ['backend', 'policy', 'dockerSocket', 'runtimeFolder'] as const) {
    const { kind, where } = settings.origins[key];
    if (kind !== 'working folder') continue;
    stderr.write(`${errorTerminal.style.warn(`hotcell: ${key} ${settings.values[key]} comes from ${where}`)}\n`);
  }
}

async function runIn(
  box: RunPlace,
  command: Command,
  wishes: BoxWishes,
  door: Door,
  interrupts: Interrupts,
): Promise<ExitStatus> {
  const child = await box.spawn(command.argv, {
    environment: command.environment,
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
  });
  const interrupt = (): void => child.kill(interrupts.received() ?? 'SIGTERM');
  interrupts.signal.addEventListener('abort', interrupt);
  if (interrupts.signal.aborted) interrupt();
  interrupts.insistence.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  const leave = (): void => {
    child.kill('SIGKILL');
    // What nobody reads any more still has to flow, or its end would never come.
    child.stdout.resume();
    child.stderr.resume();
  };
  door.readerGone.addEventListener('abort', leave);
  const takeInputApart = passInput(door.stdin, child.stdin);
  const outputs = Promise.all([
    passOutput(child.stdout, door.stdout, wishes.raw),
    passOutput(child.stderr, door.stderr, wishes.raw),
  ]);
  try {
    const status = await child.exited;
    const openLines: readonly boolean[] = door.readerGone.aborted ? [] : await outputs;
    if (openLines.includes(true)) door.stderr.write('\n');
    return status;
  } finally {
    takeInputApart();
    interrupts.signal.removeEventListener('abort', interrupt);
    door.readerGone.removeEventListener('abort', leave);
  }
}

function exitCode(status: ExitStatus, door: Door, interrupts: Interrupts): number {
  const received = interrupts.received();
  if (received !== null) return exitCodeOf(received);
  if (door.readerGone.aborted) return exitCodeOf('SIGPIPE');
  return status.code ?? exitCodeOf(status.signal ?? 'SIGKILL');
}

/** The policy as the command line changes it. Watching is for seeing where a target wants to go. */
function policyFor(written: Policy, wishes: BoxWishes, workFolder: string | undefined): Policy {
  const isEmpty = written.network.mode === 'none';
  const networkMode =
    wishes.network !== undefined ? readNetworkMode(wishes.network) : wishes.watch && isEmpty ? 'fake' : undefined;
  return adjustPolicy(written, {
    ...(wishes.time === undefined ? {} : { wallMs: readTime(wishes.time) }),
    ...(workFolder === undefined ? {} : { workFolder }),
    ...(networkMode === undefined ? {} : { networkMode }),
  });
}

export async function runBoxCommand(wishes: BoxWishes, argv: readonly string[], door: Door): Promise<number> {
  const { values } = door.settings;
  const isQuiet = wishes.quiet || values.logLevel === 'quiet';
  if (!wishes.watch && wishes.output !== undefined) throw new UsageError('--output goes with --watch');
  if (!wishes.watch && !wishes.decoys) throw new UsageError('--no-decoys goes with --watch');
  if (!wishes.watch && wishes.witness) throw new UsageError('--witness goes with --watch');
  const workFolder = wishes.workdir === undefined ? undefined : readWorkFolder(wishes.workdir, door.caller.folder);
  const environment = readEnvironment(wishes.env);
  const { policy: written, notices } = readPolicy(values.policy);
  const policy = policyFor(written, wishes, workFolder);
  if (!isQuiet) {
    noteForeignSettings(door);
    door.stderr.write(renderNotices(notices, door.errorTerminal));
  }
  const command = { argv, environment, ...(workFolder === undefined ? {} : { cwd: workFolder }) };
  return withInterrupts(async (interrupts) => {
    const place = await (wishes.watch ? openWatched : openPlain)(policy, wishes, door, isQuiet);
    try {
      const status = await runIn(place, command, wishes, door, interrupts);
      const isIncomplete = !(await place.finish());
      const { record } = place;
      if (wishes.json) door.stderr.write(formatJson({ ...record, ...place.extra(), status }, 0));
      else if (!isQuiet) door.stderr.write(renderClosingLine(record, status, door.errorTerminal) + place.lastWords());
      const code = exitCode(status, door, interrupts);
      return code === 0 && isIncomplete ? exitCodes.incomplete : code;
    } finally {
      await place.finish().catch(() => false);
    }
  });
}
