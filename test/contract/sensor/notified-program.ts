import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { callSystem, hostArchitecture } from '../../../src/base/ffi.ts';
import type { BoxHooks } from '../../../src/engine/box/contract.ts';

/**
 * A program under the notify filter without a box around it, started the way an airlock starts one: the filter goes on,
 * its listener is handed over, a heartbeat is made, and a child becomes the program.
 */

export const nonce = '00112233445566778899aabbccddeeff';

const numbers = {
  x64: { prctl: 157, seccomp: 317, close: 3, connect: 42 },
  arm64: { prctl: 167, seccomp: 277, close: 57, connect: 203 },
} as const;

const launcher = `
my ($prctl, $seccomp, $close, $connect, $hex, $nonce) = splice(@ARGV, 0, 6);
$_ += 0 for ($prctl, $seccomp, $close, $connect);
open(my $control, '+<&=', 3) or die;
my $filter = pack('H*', $hex);
my $header = pack('S x6 P', length($filter) / 8, $filter);
syscall($prctl, 38, 1, 0, 0, 0) == 0 or die "no_new_privs: $!";
my $listener = syscall($seccomp, 1, 8 | 32, $header);
die "seccomp: $!" if $listener < 0;
syswrite($control, "$listener\\n");
sysread($control, my $go, 1) or exit 71;
syscall($close, $listener);
close($control);
sysopen(my $none, "/hotcell-heartbeat-$nonce-7", 0);
my $address = pack('S n C4 x8', 2, 8, 127, 0, 0, 1);
syscall($connect, -1, $address, 16);
my $child = fork();
if ($child == 0) { exec { $ARGV[0] } @ARGV; exit 72; }
waitpid($child, 0);
exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
`;

export interface RunResult {
  readonly code: number | null;
  readonly launcher: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallMs: number;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

function fetchListener(pid: number, fd: number): number {
  const process = callSystem('pidfd_open', pid, 0);
  const listener = callSystem('pidfd_getfd', process.value, fd, 0);
  callSystem('close', process.value);
  if (listener.value < 0) throw new Error(`cannot fetch the listener: errno ${listener.errno}`);
  return listener.value;
}

const unprivileged = 65_534;

export async function runNotified(
  hooks: BoxHooks,
  argv: readonly string[],
  { cwd = '/', timeoutMs = 50_000 }: RunOptions = {},
): Promise<RunResult> {
  const { prctl, seccomp, close, connect } = numbers[hostArchitecture()];
  const filter = Buffer.from(hooks.notifyFilter ?? []).toString('hex');
  const given = [prctl, seccomp, close, connect, filter, nonce].map(String);
  const child = spawn('/usr/bin/perl', ['-e', launcher, '--', ...given, ...argv], {
    cwd,
    uid: unprivileged,
    gid: unprivileged,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const closed = once(child, 'close');
  const control = child.stdio[3] as Duplex;
  const [line] = (await Promise.race([once(control, 'data'), closed.then(() => [Buffer.alloc(0)])])) as [Buffer];
  const fd = Number.parseInt(line.toString(), 10);
  if (Number.isNaN(fd) || child.pid === undefined) throw new Error(`launcher: ${Buffer.concat(err)}`);
  try {
    await hooks.takeListener?.(fetchListener(child.pid, fd), child.pid);
  } catch (error) {
    // It would wait for ever for somebody to answer its own filter.
    child.kill('SIGKILL');
    throw error;
  }
  const started = performance.now();
  control.write('g');
  const [code] = (await closed) as [number | null];
  return {
    code,
    launcher: child.pid,
    stdout: Buffer.concat(out).toString('latin1'),
    stderr: Buffer.concat(err).toString('latin1'),
    wallMs: performance.now() - started,
  };
}
