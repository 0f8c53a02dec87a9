import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Docker from 'dockerode';
import { runToolOrFail } from '../../../src/base/process.ts';
import type { DockerOptions } from '../../../src/engine/connector/index.ts';
import { type DockerEngine, startDockerEngine } from '../escape/host/docker-engine.ts';

/** A container that runs, of an engine that belongs to the test alone. No registry is asked: the image is made of this machine. */
export interface Container {
  readonly options: DockerOptions;
  readonly engine: DockerEngine;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface ContainerOptions {
  /** Used and left running. Default: one of its own. */
  readonly engine?: DockerEngine;
  /**
   * whole: the programs of this machine, read-only. bare: a shell and a handful of coreutils, without a hash program,
   * setsid, grep, perl and python.
   */
  readonly kind?: 'whole' | 'bare';
  readonly name?: string;
}

const folders = ['dev', 'etc', 'home', 'proc', 'root', 'run', 'sys', 'tmp', 'usr', 'var'];
const bareTools = ['cat', 'chmod', 'head', 'ln', 'mkdir', 'mv', 'readlink', 'rm', 'sleep', 'stat', 'tr', 'wc'];
const userId = 1000;

/** Reaps what it inherits, as the first process of a container should. */
const firstProcess = ['/bin/sh', '-c', 'while :; do sleep 1; done'];

function layRoot(folder: string): void {
  chmodSync(folder, 0o755);
  for (const name of folders) mkdirSync(join(folder, name), { mode: 0o755 });
  chmodSync(join(folder, 'tmp'), 0o1777);
  for (const name of readdirSync('/').filter((one) => lstatSync(`/${one}`).isSymbolicLink())) {
    symlinkSync(readlinkSync(`/${name}`), join(folder, name));
  }
  const users = `root:x:0:0:root:/root:/bin/sh\nanalyst:x:${userId}:${userId}::/home/analyst:/bin/sh\n`;
  writeFileSync(join(folder, 'etc/passwd'), users);
  writeFileSync(join(folder, 'etc/group'), `root:x:0:\nanalyst:x:${userId}:\n`);
  mkdirSync(join(folder, 'home/analyst'), { mode: 0o755 });
  chownSync(join(folder, 'home/analyst'), userId, userId);
}

async function copyBare(folder: string): Promise<void> {
  const put = (from: string, to: string): void => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    copyFileSync(realpathSync(from), join(folder, to));
  };
  for (const name of ['lib', 'lib64']) {
    const target = join(folder, 'usr', name);
    if (existsSync(`/usr/${name}`)) mkdirSync(target, { recursive: true });
  }
  put('/bin/sh', '/usr/bin/sh');
  for (const tool of bareTools) put(`/usr/bin/${tool}`, `/usr/bin/${tool}`);
  const programs = ['sh', ...bareTools].map((tool) => `/usr/bin/${tool}`);
  const { stdout } = await runToolOrFail('ldd', programs);
  const libraries = new Set(stdout.toString().match(/\/\S+\.so[.\d]*/g) ?? []);
  for (const library of libraries) put(library, library.startsWith('/usr/') ? library : `/usr${library}`);
}

async function makeImage(docker: Docker, kind: 'whole' | 'bare'): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-root-'));
  try {
    layRoot(folder);
    if (kind === 'bare') await copyBare(folder);
    const file = `${folder}.tar`;
    await runToolOrFail('tar', ['-c', '--numeric-owner', '-f', file, '-C', folder, '.']);
    try {
      const stream = await docker.importImage(file, { repo: `hotcell-test-${kind}`, tag: 'latest' });
      await new Promise<void>((resolve, reject) => {
        docker.modem.followProgress(stream, (error) => (error === null ? resolve() : reject(error)));
      });
    } finally {
      rmSync(file, { force: true });
    }
    return `hotcell-test-${kind}:latest`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function openContainer(options: ContainerOptions = {}): Promise<Container> {
  const { kind = 'whole', name = `hotcell-test-${kind}` } = options;
  const engine = options.engine ?? (await startDockerEngine());
  const docker = new Docker({ socketPath: engine.socket });
  const leave = async (): Promise<void> => {
    if (options.engine === undefined) await engine.close();
  };
  try {
    const container = await docker.createContainer({
      name,
      Image: await makeImage(docker, kind),
      Cmd: firstProcess,
      Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOTCELL_TEST_PLACE=docker'],
      HostConfig: { NetworkMode: 'none', ...(kind === 'whole' ? { Binds: ['/usr:/usr:ro'] } : {}) },
    });
    await container.start();
    return {
      options: { socketPath: engine.socket, container: name },
      engine,
      stop: async () => {
        await container.kill();
      },
      start: async () => {
        await container.start();
      },
      async close() {
        await container.remove({ force: true });
        await leave();
      },
    };
  } catch (error) {
    await leave();
    throw error;
  }
}
