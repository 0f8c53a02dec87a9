import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { findTool } from '../../../src/engine/host/find-tool.ts';

/** A sandbox of gVisor made by hand, so that a sensor is tested without a box around it. */

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const timeoutMs = 50_000;

export async function needGvisor(context: TestContext): Promise<void> {
  if (process.getuid?.() !== 0) context.skip('needs root');
  if ((await findTool('runsc')) === null) context.skip('runsc is not installed');
}

function bind(path: string, source = path): object {
  return { destination: path, type: 'bind', source, options: ['rbind', 'ro'] };
}

export class Lab {
  readonly folder = mkdtempSync('/tmp/hotcell-trace-');
  #count = 0;

  /** Runs a Perl program, or another one, in a sandbox of its own to its end. */
  async run(program: string | readonly string[], session: string | null): Promise<Ended> {
    this.#count += 1;
    const bundle = join(this.folder, `bundle-${this.#count}`);
    mkdirSync(join(bundle, 'rootfs'), { recursive: true });
    mkdirSync(join(bundle, 'work'));
    if (typeof program === 'string') writeFileSync(join(bundle, 'work', 'program.pl'), program, { encoding: 'latin1' });
    const args = typeof program === 'string' ? ['/usr/bin/perl', '/work/program.pl'] : program;
    const links = ['/lib', '/lib64', '/bin']
      .filter((path) => existsSync(path))
      .map((path) => bind(path, realpathSync(path)));
    const config = {
      ociVersion: '1.0.2',
      process: { user: { uid: 0, gid: 0 }, args, env: ['PATH=/usr/bin'], cwd: '/work', noNewPrivileges: true },
      root: { path: 'rootfs', readonly: true },
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        { destination: '/tmp', type: 'tmpfs', source: 'tmpfs' },
        bind('/usr'),
        ...links,
        bind('/work', join(bundle, 'work')),
      ],
      linux: { namespaces: ['pid', 'mount', 'ipc', 'uts', 'network'].map((type) => ({ type })) },
    };
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(config));
    const flags = ['--root', join(this.folder, 'state'), '--network=none', '--ignore-cgroups', '--log=/dev/null'];
    const traced = session === null ? [] : [`--pod-init-config=${session}`];
    return this.#start('runsc', [...flags, ...traced, 'run', '--bundle', bundle, `lab-${process.pid}-${this.#count}`]);
  }

  /** Runs a Perl program of ours on the host. */
  runOutside(program: string, ...args: readonly string[]): Promise<Ended> {
    return this.#start('perl', ['-e', program, ...args]);
  }

  #start(file: string, args: readonly string[]): Promise<Ended> {
    const child = spawn(file, [...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('latin1') }));
    });
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
