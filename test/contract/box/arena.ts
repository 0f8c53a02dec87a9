import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { Policy } from '../../../src/base/policy-schema.ts';
import {
  type BackendId,
  type Box,
  backends,
  createBox,
  type ExitStatus,
  type SpawnOptions,
} from '../../../src/engine/box/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { type DockerEngine, hasDockerEngine, startDockerEngine } from '../escape/host/docker-engine.ts';

/** A place in which boxes are tried: a runtime folder of its own, and a docker engine of its own when asked for. */
export class Arena {
  /** Made when it is first needed: a suite that is filtered out never closes its arena. */
  #runtimeFolder: string | null = null;
  #engine: DockerEngine | null = null;
  readonly #boxes: Box[] = [];

  async open(backend: BackendId, engineSettings: object = {}): Promise<void> {
    if (backend === 'docker' && hasDockerEngine()) this.#engine = await startDockerEngine(engineSettings);
  }

  get runtimeFolder(): string {
    this.#runtimeFolder ??= mkdtempSync('/tmp/hotcell-arena-');
    return this.#runtimeFolder;
  }

  get options(): { runtimeFolder: string; dockerSocket: string } {
    return { runtimeFolder: this.runtimeFolder, dockerSocket: this.#engine?.socket ?? '/nonexistent/docker.sock' };
  }

  /** Skips the test, with the reason, where this machine cannot have such boxes. */
  async need(backend: BackendId, context: TestContext): Promise<void> {
    const probed = await backends.find(({ id }) => id === backend)?.probe(this.options);
    if (probed?.is !== 'yes') context.skip(probed?.is === 'not-available' ? probed.because : `no ${backend} here`);
  }

  async box(backend: BackendId, policy: Policy = tierPolicy('LOW')): Promise<Box> {
    const box = await createBox(policy, { backend, ...this.options });
    this.#boxes.push(box);
    return box;
  }

  async closeBoxes(): Promise<void> {
    await Promise.all(this.#boxes.splice(0).map((box) => box.close()));
  }

  async close(): Promise<void> {
    await this.closeBoxes();
    await this.#engine?.close();
    if (this.#runtimeFolder !== null) rmSync(this.#runtimeFolder, { recursive: true, force: true });
  }

  /** Everything of these boxes that is still on the host. */
  leftovers(ids: readonly string[]): readonly string[] {
    const folder = join(this.runtimeFolder, 'boxes');
    const folders = existsSync(folder) ? readdirSync(folder) : [];
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .filter((line) => ids.some((id) => line.includes(id)));
    const groups = readdirSync('/sys/fs/cgroup').flatMap((controller) => {
      const path = join('/sys/fs/cgroup', controller, 'hotcell');
      return existsSync(path) ? readdirSync(path).filter((name) => ids.includes(name)) : [];
    });
    return [...folders.filter((name) => ids.includes(name)), ...mounts, ...groups, ...processesOf(ids)];
  }
}

function processesOf(ids: readonly string[]): readonly string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const line = readFileSync(join('/proc', name, 'cmdline'), 'latin1').replaceAll('\0', ' ');
      const groups = readFileSync(join('/proc', name, 'cgroup'), 'latin1');
      return ids.some((id) => line.includes(id) || groups.includes(id)) ? [`${name} ${line}`] : [];
    } catch {
      return [];
    }
  });
}

export interface RunOutput {
  readonly status: ExitStatus;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command in a box to its end. */
export async function run(
  box: Box,
  argv: readonly string[],
  options: SpawnOptions & { readonly input?: string | Buffer } = {},
): Promise<RunOutput> {
  const { input, ...spawnOptions } = options;
  const child = await box.spawn(argv, spawnOptions);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  const drained = Promise.all(
    [child.stdout, child.stderr].map(
      (stream) => new Promise((resolve) => stream.once('close', resolve).once('end', resolve)),
    ),
  );
  child.stdin.end(input);
  const status = await child.exited;
  await drained;
  return { status, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') };
}

export function withLimits(limits: Partial<Policy['limits']>): Policy {
  const policy = tierPolicy('LOW');
  return { ...policy, limits: { ...policy.limits, ...limits } };
}
