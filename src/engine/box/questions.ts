import { chmodSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Policy } from '../../base/policy-schema.ts';
import type { MessageLine } from './airlock.ts';

/** What the airlock is asked: the bait that it must not reach, and what the kernel has to say of it. */

const rlimits = { fileBytes: 1, core: 4, processes: 6, openFiles: 7, data: 2 } as const;

/** Denied calls that can be tried without harm; the filter that refuses these refuses the others. */
const triedCalls: readonly string[] = ['bpf', 'io_uring_setup', 'unshare'];

export interface QuestionOptions {
  readonly boxId: string;
  readonly architecture: 'x64' | 'arm64';
  readonly policy: Policy;
  readonly bait: Bait;
  /** Namespaces that the box must not share with the host. */
  readonly namespaces: readonly string[];
  /** What /proc/self/status must say, where it says anything. */
  readonly seccompMode: string | null;
  /** True where the airlock is the first process of a pid namespace and stays as its init. */
  readonly isInit: boolean;
  /** Without a pid namespace: a process outside that must not be reachable by signals. */
  readonly signalPid: number | null;
  /** Extra rlimits where no control group keeps the limit. */
  readonly processLimit: number | null;
  readonly dataLimit: number | null;
  /** File descriptor of a Landlock ruleset that the airlock puts on itself. */
  readonly landlockFd?: number;
  /** A seccomp program that the airlock puts on itself. */
  readonly filter?: Uint8Array;
}

export async function composeQuestions(options: QuestionOptions): Promise<readonly MessageLine[]> {
  const { bait, policy } = options;
  const { limits, syscalls } = policy;
  await bait.ready;
  const limit = (resource: number, value: number): MessageLine => ['limit', String(resource), String(value)];
  return [
    ['arch', options.architecture],
    ['confined', '1'],
    ...syscalls.deny.filter(({ name }) => triedCalls.includes(name)).map(({ name }): MessageLine => ['deny', name]),
    limit(rlimits.fileBytes, limits.fileBytes),
    limit(rlimits.core, 0),
    limit(rlimits.openFiles, limits.openFiles),
    ...(options.processLimit === null ? [] : [limit(rlimits.processes, options.processLimit)]),
    ...(options.dataLimit === null ? [] : [limit(rlimits.data, options.dataLimit)]),
    ['openFiles', String(limits.openFiles)],
    ...[bait.secretFile, '/etc/shadow', `/proc/${process.pid}/environ`].map((path): MessageLine => ['read', path]),
    ...[join(bait.openFolder, 'planted'), '/usr/planted-by-hotcell'].map((path): MessageLine => ['write', path]),
    ['tcp', String(bait.tcpPort)],
    ['abstract', bait.abstractName],
    ...options.namespaces.map((name): MessageLine => ['same', name, readlinkSync(`/proc/self/ns/${name}`)]),
    ...(options.seccompMode === null ? [] : ([['seccomp', options.seccompMode]] as MessageLine[])),
    ...(options.signalPid === null ? [] : ([['signal', String(options.signalPid)]] as MessageLine[])),
    ...(options.landlockFd === undefined ? [] : ([['landlock', String(options.landlockFd)]] as MessageLine[])),
    ...(options.filter === undefined ? [] : ([['filter', options.filter]] as MessageLine[])),
    ...(options.isInit ? ([['init', '1']] as MessageLine[]) : []),
  ];
}

function listen(server: Server, where: { port: number; host: string } | { path: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => resolve());
    server.unref();
  });
}

/** Things outside the box that anybody on this host could reach. Only the confinement keeps the target from them. */
export class Bait {
  readonly secretFile: string;
  readonly openFolder: string;
  readonly abstractName: string;
  readonly #tcp: Server = createServer((socket) => socket.destroy());
  readonly #abstract: Server = createServer((socket) => socket.destroy());
  /** Resolves when the listeners listen. */
  readonly ready: Promise<void>;

  constructor(folder: string, boxId: string) {
    this.secretFile = join(folder, 'secret');
    this.openFolder = join(folder, 'open');
    this.abstractName = `hotcell-bait-${boxId}`;
    mkdirSync(this.openFolder, { recursive: true, mode: 0o755 });
    chmodSync(this.openFolder, 0o777);
    writeFileSync(this.secretFile, 'bait\n', { mode: 0o644 });
    this.ready = Promise.all([
      listen(this.#tcp, { port: 0, host: '127.0.0.1' }),
      listen(this.#abstract, { path: `\0${this.abstractName}` }),
    ]).then(() => undefined);
    // Whoever asks the airlock waits for it; a box that is given up before must not take the process down.
    this.ready.catch(() => undefined);
  }

  get tcpPort(): number {
    const address = this.#tcp.address();
    return address !== null && typeof address === 'object' ? address.port : 0;
  }

  close(): void {
    this.#tcp.close();
    this.#abstract.close();
  }
}
