import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callSystem } from '../../../../src/base/ffi.ts';
import { toolEnvironment } from '../../../../src/base/process.ts';
import { mountLines } from './machine.ts';

/** A docker engine that belongs to the test alone: without a bridge, and gone with everything it mounted. */
export interface DockerEngine {
  readonly socket: string;
  containers(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const startMs = 30_000;
const endMs = 30_000;
const lazyUnmount = 2;

function ask(socket: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: socket, path, timeout: 5000 }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    call.on('error', reject);
    call.end();
  });
}

function mountsBelow(folder: string): readonly string[] {
  const points = mountLines().map((line) => line.split(' ')[4] ?? '');
  return points.filter((point) => point.startsWith(`${folder}/`)).toReversed();
}

function findProgram(): string | undefined {
  return ['/usr/sbin/dockerd', '/usr/bin/dockerd', '/usr/local/bin/dockerd'].find(existsSync);
}

export function hasDockerEngine(): boolean {
  return findProgram() !== undefined;
}

export async function startDockerEngine(settings: object = {}): Promise<DockerEngine> {
  const program = findProgram();
  if (program === undefined) throw new Error('there is no dockerd on this machine');
  const folder = mkdtempSync('/tmp/hotcell-docker-');
  const at = (name: string): string => join(folder, name);
  const socket = at('engine.sock');
  const log = openSync(at('log'), 'w');
  writeFileSync(at('settings.json'), JSON.stringify(settings));
  const args = [
    '--config-file',
    at('settings.json'),
    '--data-root',
    at('data'),
    '--exec-root',
    at('exec'),
    '-H',
    `unix://${socket}`,
    '--pidfile',
    at('pid'),
    '--iptables=false',
    '--bridge=none',
  ];
  // It ends with this process, however that ends.
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', program, ...args], {
    stdio: ['ignore', log, log],
    env: { ...toolEnvironment },
    cwd: '/',
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });

  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    const isEnded = await Promise.race([ended.then(() => true), sleep(endMs, false, { ref: false })]);
    if (!isEnded) child.kill('SIGKILL');
    await ended;
    for (const point of mountsBelow(folder)) callSystem('umount2', point, lazyUnmount);
    // What the engine started may write its last words a moment after the engine itself has ended.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };

  for (const end = Date.now() + startMs; Date.now() < end; await sleep(100)) {
    const answer = await ask(socket, '/_ping').catch(() => '');
    if (answer === 'OK') {
      return {
        socket,
        async containers() {
          const list = JSON.parse(await ask(socket, '/containers/json?all=1')) as readonly {
            readonly Names: readonly string[];
          }[];
          return list.flatMap(({ Names: names }) => names);
        },
        close,
      };
    }
    if (child.exitCode !== null) break;
  }
  const tail = readFileSync(at('log'), 'utf8').slice(-600);
  await close();
  throw new Error(`the docker engine did not start: ${tail}`);
}
