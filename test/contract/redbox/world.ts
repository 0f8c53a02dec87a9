import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunResult } from '../../../src/base/process.ts';
import { buildImage, buildMs, whyNoBuild } from './build-image.ts';
import { type Docker, openDocker, whyNoDocker } from './docker.ts';
import { documentedRuns, hardenedArguments, repository } from './files.ts';
import { hotcellMounts, makeMachineImage, whyNoMachineImage } from './machine-image.ts';

/** One of the two images, and a weak API that shares a network with it on which there is nobody else. */

export interface ImageKind {
  readonly name: string;
  readonly timeoutMs: number;
  whyNot(): string | null;
  make(docker: Docker): Promise<string>;
  /** What its build leaves to us. */
  mounts(): readonly string[];
}

export const imageKinds: readonly ImageKind[] = [
  {
    name: 'an image of this machine',
    timeoutMs: 110_000,
    whyNot: () => whyNoDocker() ?? whyNoMachineImage(),
    make: makeMachineImage,
    mounts: hotcellMounts,
  },
  {
    name: 'the image that the Dockerfile builds',
    timeoutMs: buildMs,
    whyNot: () => whyNoDocker() ?? whyNoBuild(),
    make: buildImage,
    mounts: () => [],
  },
];

export const apiPorts = { http: 8080, tls: 8443 } as const;
export const serverPort = 8000;

/** Quick, since nobody else is there to be spared. */
const scope = {
  name: 'the neighbour',
  targets: ['127.0.0.1'],
  ports: [80, apiPorts.http, apiPorts.tls, serverPort],
  rate: { requestsPerSecond: 2000, connectionsPerSecond: 2000 },
  concurrency: { scans: 4, perTarget: 4 },
  authorization: { by: 'the test', reference: 'it started the target itself' },
};

export interface World {
  readonly docker: Docker;
  readonly image: string;
  /** The documented run, up to the image: only its network is another one. */
  readonly hardened: readonly string[];
  /** Hotcell with these words. */
  hotcell(...words: readonly string[]): Promise<RunResult>;
  /** A program of the image in place of Hotcell, held in the same way. */
  inside(program: string, ...args: readonly string[]): Promise<string>;
  /** A script for Node, beside the weak API. */
  beside(script: string): Promise<string>;
  close(): Promise<void>;
}

const node = `/opt/hotcell/node_modules/node-linux-${process.arch}/bin/node`;
const waits = { count: 200, ms: 100 };

async function startApi(docker: Docker, image: string, mounts: readonly string[]): Promise<void> {
  const sources = ['src', 'test/samples', 'package.json'].map(
    (part) => `--volume=${repository}/${part}:/api/${part}:ro`,
  );
  const place = ['--name=api', '--network=none', '--read-only', `--entrypoint=${node}`, ...mounts, ...sources];
  const words = ['--port', `${apiPorts.http}`, '--tls-port', `${apiPorts.tls}`];
  await docker.run(['run', '--detach', ...place, image, '/api/test/samples/probe/weak-api/main.ts', ...words]);
  for (let count = 0; count < waits.count; count += 1) {
    if ((await docker.run(['logs', 'api'])).includes('"ready"')) return;
    await sleep(waits.ms);
  }
  throw new Error(`the weak API did not start: ${(await docker.try(['logs', 'api'])).stderr.toString().slice(-1000)}`);
}

export async function openWorld(kind: ImageKind): Promise<World> {
  const docker = await openDocker();
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-redbox-scope-'));
  const close = async (): Promise<void> => {
    await docker.try(['rm', '--force', '--volumes', 'api']);
    await docker.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'scope.json'), JSON.stringify(scope));
    const image = await kind.make(docker);
    const mounts = kind.mounts();
    await startApi(docker, image, mounts);
    const [documented] = documentedRuns();
    if (documented === undefined) throw new Error('no run is documented');
    const place = ['--rm', '--interactive', '--network=container:api', `--volume=${folder}:/scope:ro`, ...mounts];
    const hardened = [...place, ...hardenedArguments(documented)];
    return {
      docker,
      image,
      hardened,
      hotcell: (...words) => docker.try(['run', ...hardened, image, ...words]),
      inside: (program, ...args) => docker.run(['run', ...hardened, `--entrypoint=${program}`, image, ...args]),
      beside: (script) => docker.run(['exec', 'api', node, '--input-type=module', '-e', script]),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
