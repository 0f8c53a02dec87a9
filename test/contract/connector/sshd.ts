import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runToolOrFail, toolEnvironment } from '../../../src/base/process.ts';
import type { SshOptions } from '../../../src/engine/connector/index.ts';

/** An OpenSSH server of the test's own on the loopback: its own keys, its own settings, nothing of the system's. */
export interface Sshd {
  readonly options: SshOptions & { readonly identityFile: string };
  readonly folder: string;
  /** The processes that serve connections now. */
  connections(): Promise<readonly number[]>;
  /** Other keys for the same name and port. */
  restart(kind: 'same-keys' | 'new-keys'): Promise<void>;
  close(): Promise<void>;
}

export interface SshdOptions {
  /** Where commands look for programs. */
  readonly path?: string;
  readonly maxSessions?: number;
}

const program = '/usr/sbin/sshd';
const startMs = 10_000;

export function hasSshd(): boolean {
  return existsSync(program);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.setTimeout(1000, () => socket.destroy());
    socket.once('data', (chunk: Buffer) => {
      resolve(chunk.toString('latin1').startsWith('SSH-'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

/** A connection that was just closed may be gone by itself between being listed and being ended. */
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ESRCH') throw error;
  }
}

export async function makeKey(file: string, type: string, passphrase = ''): Promise<void> {
  rmSync(file, { force: true });
  rmSync(`${file}.pub`, { force: true });
  await runToolOrFail('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-C', 'test', '-f', file]);
}

export async function openSshd({ path, maxSessions }: SshdOptions = {}): Promise<Sshd> {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-sshd-'));
  chmodSync(folder, 0o755);
  const at = (name: string): string => join(folder, name);
  const port = await freePort();
  // The folder that the server shuts itself into; the service of the package makes it the same way.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  await Promise.all([
    makeKey(at('host_ed25519'), 'ed25519'),
    makeKey(at('host_ecdsa'), 'ecdsa'),
    makeKey(at('user'), 'ed25519'),
  ]);
  await makeKey(at('locked'), 'ed25519', 'open sesame');
  writeFileSync(
    at('authorized_keys'),
    ['user', 'locked'].map((name) => readFileSync(at(`${name}.pub`), 'utf8')).join(''),
  );
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${at('host_ed25519')}`,
    `HostKey ${at('host_ecdsa')}`,
    `AuthorizedKeysFile ${at('authorized_keys')}`,
    'PidFile none',
    'UsePAM no',
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'MaxStartups 100',
    'LogLevel ERROR',
    // At that level bash leaves the settings of whoever runs the test unread.
    `SetEnv SHLVL=2 HOTCELL_TEST_PLACE=ssh${path === undefined ? '' : ` PATH=${path}`}`,
    ...(maxSessions === undefined ? [] : [`MaxSessions ${maxSessions}`]),
  ];
  writeFileSync(at('sshd_config'), `${settings.join('\n')}\n`);

  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill('SIGKILL');
    await ended;
  };
  const start = async (): Promise<void> => {
    const log = openSync(at('log'), 'w');
    // It ends with this process, however that ends.
    child = spawn('setpriv', ['--pdeathsig', 'KILL', program, '-D', '-e', '-f', at('sshd_config')], {
      stdio: ['ignore', 'ignore', log],
      env: { ...toolEnvironment },
      cwd: '/',
    });
    closeSync(log);
    for (const end = Date.now() + startMs; Date.now() < end; await sleep(50)) {
      if (await answers(port)) return;
      if (child.exitCode !== null) break;
    }
    await stop();
    throw new Error(`sshd did not start: ${readFileSync(at('log'), 'utf8').slice(-600)}`);
  };
  const connections = async (): Promise<readonly number[]> => {
    const pid = child?.pid;
    if (pid === undefined) return [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return children === '' ? [] : children.split(' ').map(Number);
  };
  await start();

  const host = '127.0.0.1';
  const lines = ['host_ed25519', 'host_ecdsa'].map((name) => {
    const [type, key] = readFileSync(at(`${name}.pub`), 'utf8').split(' ');
    return `[${host}]:${port} ${type} ${key}\n`;
  });
  writeFileSync(at('known_hosts'), lines.join(''), { mode: 0o600 });
  return {
    folder,
    options: {
      host,
      port,
      user: userInfo().username,
      identityFile: at('user'),
      knownHostsFile: at('known_hosts'),
      isNewHostAccepted: false,
    },
    connections,
    async restart(kind) {
      for (const pid of await connections()) endNow(pid);
      await stop();
      if (kind === 'new-keys') {
        await Promise.all([makeKey(at('host_ed25519'), 'ed25519'), makeKey(at('host_ecdsa'), 'ecdsa')]);
      }
      await start();
    },
    async close() {
      for (const pid of await connections()) endNow(pid);
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
