import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type RunOptions, type RunResult, runTool, runToolOrFail } from '../../../src/base/process.ts';
import type { Arrived } from '../../samples/probe/weak-api/start.ts';
import { Background } from './background.ts';
import {
  abandonedIn,
  makeNamespaces,
  type Namespaces,
  pathOf,
  processesIn,
  removeAbandoned,
  removeNamespaces,
  within,
} from './namespaces.ts';
import {
  catcherPorts,
  elsewhereUrl,
  hostListener,
  link,
  mark,
  nameserver,
  outer,
  outOfScope,
  target,
  targetPorts,
} from './places.ts';
import { readCapture, readCounters, type Seen } from './seen.ts';

export { elsewhereUrl, outer, outOfScope, target, targetPorts } from './places.ts';
export type { Seen } from './seen.ts';

/** A small internet of the test's own, with a target in it, much that is none, and no way out. See README.md. */

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const weakApi = here('../../samples/probe/weak-api/main.ts');
const catcher = here('catcher.ts');
const barrierMs = 10_000;

export interface WorldOptions {
  /** The sound twin in the place of the weak API. */
  readonly sound?: boolean;
  /** Names that lead to the target; every other name leads out of scope. */
  readonly names?: readonly string[];
}

export interface InsideOptions extends RunOptions {
  /** With a resolv.conf whose nameserver is the world's; the program gets its own mounts for that. */
  readonly resolver?: boolean;
}

export interface LoopbackApi {
  readonly url: string;
  readonly port: number;
  readonly tlsPort: number;
  readonly bannerPort: number;
  close(): Promise<void>;
}

/** A listener on addresses of `outer` that nobody should come to. */
export interface HostListener {
  readonly port: number;
  connections(): number;
  close(): Promise<void>;
}

export class World implements AsyncDisposable {
  readonly namespaces: Namespaces;
  readonly folder: string;
  readonly #running: Background[] = [];
  #catcher: Background | null = null;
  #api: Background | null = null;

  private constructor(namespaces: Namespaces, folder: string) {
    this.namespaces = namespaces;
    this.folder = folder;
  }

  static async open(options: WorldOptions = {}): Promise<World> {
    await removeAbandoned();
    for (const name of abandonedIn(tmpdir(), /^hotcell-world-(\d+)-/)) {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
    const namespaces = await makeNamespaces(randomBytes(3).toString('hex'));
    const world = new World(namespaces, mkdtempSync(join(tmpdir(), `hotcell-world-${process.pid}-`)));
    try {
      await world.#start(options);
      return world;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  async #start({ sound = false, names = [] }: WorldOptions): Promise<void> {
    this.setNames(Object.fromEntries(names.map((name) => [name, [target.ipv4, target.ipv6]])));
    writeFileSync(join(this.folder, 'resolv.conf'), `nameserver ${nameserver}\noptions timeout:2 attempts:1\n`);
    const { there } = this.namespaces;
    const tcpdump = ['tcpdump', '-i', link, '-n', '-s', '192', '-B', '16384', '-U', '--immediate-mode', '-Z', 'root'];
    const node = process.execPath;
    // All of them, so that none is still beginning when the world ends because of another.
    const [capture, caught, api] = await Promise.allSettled([
      this.#run(there, [...tcpdump, '-w', this.capture], (line) => line.includes('listening on')),
      this.#run(there, [
        ...[node, catcher, '--stream', String(catcherPorts.stream), '--datagram', String(catcherPorts.datagram)],
        ...['--names', String(catcherPorts.names), '--names-file', this.#namesFile],
        ...['--address', outOfScope[0], '--address', outOfScope[2]],
      ]),
      this.#run(there, [
        ...[node, weakApi, '--while-stdin', '--log', '--host', target.ipv4, '--host', target.ipv6],
        ...['--port', String(targetPorts.http), '--tls-port', String(targetPorts.tls)],
        ...['--banner-port', String(targetPorts.banner), '--elsewhere', elsewhereUrl],
        ...['--authority-file', this.authorityFile, ...names.flatMap((name) => ['--name', name])],
        ...(sound ? ['--sound'] : []),
      ]),
    ]);
    for (const started of [capture, caught, api]) if (started.status === 'rejected') throw started.reason;
    if (caught.status === 'fulfilled') this.#catcher = caught.value;
    if (api.status === 'fulfilled') this.#api = api.value;
  }

  async #run(
    namespace: string,
    argv: readonly string[],
    isReady: (line: string) => boolean = (line) => line.startsWith('{"type":"ready"'),
  ): Promise<Background> {
    const background = await Background.start(namespace, argv, isReady);
    this.#running.push(background);
    return background;
  }

  /** For runtimes and tools that join a network by path. */
  get outerPath(): string {
    return pathOf(this.namespaces.outer);
  }

  /** Of the whole wire, both ways, the first 192 bytes of each frame. */
  get capture(): string {
    return join(this.folder, 'wire.pcap');
  }

  /** With `sound`: who signed the certificate of the target. */
  get authorityFile(): string {
    return join(this.folder, 'authority.pem');
  }

  get #namesFile(): string {
    return join(this.folder, 'names.json');
  }

  /** From now on these names have these addresses; all others are out of scope. */
  setNames(names: Readonly<Record<string, readonly string[]>>): void {
    writeFileSync(this.#namesFile, JSON.stringify(names));
  }

  /** Questions for names so far. */
  questions(): readonly { readonly name: string; readonly kind: number; readonly protocol: string }[] {
    return (this.#catcher?.said('{"type":"asked"') ?? []) as ReturnType<World['questions']>;
  }

  /** Requests that reached the target, as they arrived. */
  requests(): readonly Arrived[] {
    return (this.#api?.said('{"type":"request"') ?? []) as ReturnType<World['requests']>;
  }

  /** What those who are out of scope were told. */
  caught(): readonly { readonly protocol: string; readonly bytes: string }[] {
    return (this.#catcher?.said('{"type":"caught"') ?? []) as ReturnType<World['caught']>;
  }

  /** argv of a program in `outer`, for those who start it themselves. */
  inOuter(argv: readonly string[], isResolving = false): readonly string[] {
    const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
    const own = isResolving ? ['unshare', '-m', 'sh', '-c', script, join(this.folder, 'resolv.conf')] : [];
    return ['nsenter', ...within(this.namespaces.outer, [...own, ...argv])];
  }

  /** Runs a program in `outer` to its end, bounded in time (30 s) and output. */
  inside(argv: readonly string[], options: InsideOptions = {}): Promise<RunResult> {
    const { resolver = false, ...rest } = options;
    const [file = '', ...args] = this.inOuter(argv, resolver);
    return runTool(file, args, rest);
  }

  /** The weak API (or its twin) once more, on 127.0.0.1 and ::1 of `outer`. */
  async startOnLoopback({ sound = false }: { readonly sound?: boolean } = {}): Promise<LoopbackApi> {
    const running = await this.#run(this.namespaces.outer, [
      ...[process.execPath, weakApi, '--while-stdin', '--host', '127.0.0.1', '--host', '::1', '--port', '0'],
      ...['--tls-port', '0', '--banner-port', '0', '--elsewhere', elsewhereUrl, ...(sound ? ['--sound'] : [])],
    ]);
    const [ready] = running.said('{"type":"ready"') as readonly Omit<LoopbackApi, 'close'>[];
    if (ready === undefined) throw new Error('the weak API did not say where it is');
    const { url, port, tlsPort, bannerPort } = ready;
    return { url, port, tlsPort, bannerPort, close: () => running.close() };
  }

  /** Listens on every address of `outer` and on an abstract socket: a service of the host that is no scan's business. */
  async startHostListener(port: number = hostListener.port): Promise<HostListener> {
    const running = await this.#run(this.namespaces.outer, [
      ...[process.execPath, catcher, '--stream', String(port), '--datagram', String(port)],
      ...['--abstract', hostListener.abstract],
    ]);
    const count = (): number =>
      running.lines.filter((line) => /^\{"type":"(connected"|caught","protocol":"udp")/.test(line)).length;
    return { port, connections: count, close: () => running.close() };
  }

  /** By the counters of the kernel: packets that arrived for this address. */
  async packetsTo(address: string): Promise<number> {
    return (await this.#counters()).get(address) ?? 0;
  }

  async #counters(): Promise<ReadonlyMap<string, number>> {
    const family = async (set: string): Promise<ReadonlyMap<string, number>> => {
      const argv = ['nft', '-j', 'list', 'set', 'inet', 'world', set];
      const { stdout } = await runToolOrFail('nsenter', within(this.namespaces.there, argv), {
        maxOutputBytes: 64 * 1024 * 1024,
      });
      return readCounters(stdout.toString());
    };
    return new Map([...(await family('seen4')), ...(await family('seen6'))]);
  }

  /** By the capture: everything that went over the wire out of `outer` so far. */
  async seen(): Promise<readonly Seen[]> {
    const sign = `mark ${randomBytes(8).toString('hex')}`;
    await this.inside(['bash', '-c', `printf %s "$0" > /dev/udp/${mark.address}/${mark.port}`, sign]);
    const deadline = Date.now() + barrierMs;
    for (;;) {
      const { seen, hasMark } = readCapture(this.capture, sign);
      if (hasMark) return seen;
      if (Date.now() > deadline) throw new Error('the capture does not keep up');
      await sleep(20);
    }
  }

  /** What went anywhere but to these addresses, by capture and by counters; empty is what a scope promises. */
  async strays(allowed: readonly string[] = Object.values(target)): Promise<readonly Seen[]> {
    const captured = (await this.seen()).filter(({ to }) => !allowed.includes(to));
    const counted = [...(await this.#counters())]
      .filter(([to]) => !allowed.includes(to) && !isGroup(to) && !captured.some((each) => each.to === to))
      .map(([to, packets]) => ({ to, protocol: 'counted', port: null, packets }));
    return [...captured, ...counted];
  }

  /** Processes that live in the world now, ours among them. */
  processes(): readonly number[] {
    return processesIn(Object.values(this.namespaces));
  }

  /** Removes all of it; processes that a program left in the world are ended. */
  async close(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((each) => each.close()));
    await removeNamespaces(Object.values(this.namespaces));
    rmSync(this.folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Groups that the kernel reports to by itself; a datagram of anybody else to one is in the capture. */
const isGroup = (address: string): boolean => ['ff02::16', 'ff02::2', 'ff02::1'].includes(address);

export const openWorld = (options: WorldOptions = {}): Promise<World> => World.open(options);

/** All that can be sent to from outer: the addresses of the host that runs Hotcell. */
export const hostAddresses: readonly string[] = ['127.0.0.1', '::1', ...Object.values(outer)];
