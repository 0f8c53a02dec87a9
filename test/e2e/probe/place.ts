import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { runTool } from '../../../src/base/process.ts';
import { findTool } from '../../../src/engine/host/index.ts';
import { whyNoNetwork } from '../../contract/net/lab.ts';
import { openWorld, target, type World, type WorldOptions } from '../../contract/probe/world.ts';
import { cleanEnvironment, program, type Ran } from '../hotcell.ts';
import { ServedPlace } from './served-place.ts';

/** Hotcell in the world of probe: the built program in `outer`, with a home and a runtime folder of its own. */

/** Why none of these tests can run here; null where they can. */
export async function whyNoPlace(): Promise<string | null> {
  const reason = await whyNoNetwork();
  if (reason !== null) return reason;
  for (const tool of ['tcpdump', 'nsenter', 'nmap', 'ffuf', 'arjun']) {
    if ((await findTool(tool)) === null) return `${tool} is not installed`;
  }
  return null;
}

/** Quick: the limits are tested elsewhere. */
export const quickScope = {
  targets: [target.ipv4],
  rate: { requestsPerSecond: 1000, connectionsPerSecond: 5000 },
  concurrency: { scans: 16, perTarget: 16, connections: 100 },
  authorization: { by: 'the tests', reference: 'test/e2e/probe', at: '2026-01-01' },
};

export interface PlaceOptions extends WorldOptions {
  /** Names are asked of the world. */
  readonly resolver?: boolean;
  /** Files that are put where nuclei looks for its templates; for Hotcell alone. */
  readonly templates?: Readonly<Record<string, string>>;
  /** Programs of this machine that Hotcell is not to find. */
  readonly hidden?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** In mounts of its own: what is put in place or hidden is so for one program and those that it starts. */
const mounting = `
set -e
templates=$1 hidden=$2 resolver=$3
shift 3
if [ -n "$templates" ]; then
  mount -t tmpfs none /opt
  cp -r "$templates" /opt/nuclei-templates
fi
for each in $hidden; do mount --bind /dev/null "$each"; done
if [ -n "$resolver" ]; then mount --bind "$resolver" /etc/resolv.conf; fi
exec "$@"
`;

export class Place implements AsyncDisposable {
  readonly world: World;
  readonly root: string;
  readonly #options: PlaceOptions;
  readonly #clients: Client[] = [];
  readonly #served: ServedPlace[] = [];

  private constructor(world: World, root: string, options: PlaceOptions) {
    this.world = world;
    this.root = root;
    this.#options = options;
  }

  static async open(options: PlaceOptions = {}): Promise<Place> {
    const world = await openWorld(options);
    const root = mkdtempSync('/tmp/hotcell-probe-e2e-');
    chmodSync(root, 0o711);
    mkdirSync(join(root, 'run'), { mode: 0o711 });
    if (options.templates !== undefined) {
      mkdirSync(join(root, 'templates'));
      chmodSync(join(root, 'templates'), 0o755);
      for (const [name, content] of Object.entries(options.templates)) {
        writeFileSync(join(root, 'templates', name), content, { mode: 0o644 });
      }
    }
    return new Place(world, root, options);
  }

  get home(): string {
    return join(this.root, 'home');
  }

  /** A file with this in it; a text is written as it is. */
  scope(name: string, document: object | string): string {
    const file = join(this.root, `${name}.json`);
    writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
    return file;
  }

  /** Hotcell with these arguments, as argv. */
  argv(args: readonly string[], more: Pick<PlaceOptions, 'hidden' | 'environment'> = {}): readonly string[] {
    const { templates, resolver, environment = {} } = this.#options;
    const variables = cleanEnvironment({
      HOTCELL_HOME: this.home,
      HOTCELL_RUNTIME_FOLDER: join(this.root, 'run'),
      ...environment,
      ...more.environment,
    });
    return this.world.inOuter([
      ...['unshare', '-m', 'sh', '-c', mounting, 'sh'],
      templates === undefined ? '' : join(this.root, 'templates'),
      (more.hidden ?? []).join(' '),
      resolver === true ? join(this.world.folder, 'resolv.conf') : '',
      ...['env', '-i', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`), program, ...args],
    ]);
  }

  async run(args: readonly string[], more: Pick<PlaceOptions, 'hidden' | 'environment'> = {}): Promise<Ran> {
    const [file = '', ...rest] = this.argv(args, more);
    const ran = await runTool(file, rest, { timeoutMs: 280_000, maxOutputBytes: 64 * 1024 * 1024, cwd: this.root });
    return { code: ran.code, stdout: ran.stdout.toString(), stderr: ran.stderr.toString() };
  }

  /** An MCP client with a server of its own, over stdio. */
  async client(args: readonly string[], more: Pick<PlaceOptions, 'hidden' | 'environment'> = {}): Promise<Client> {
    const [command = '', ...rest] = this.argv(['probe', ...args], more);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command, args: rest, env: cleanEnvironment(), stderr: 'ignore', cwd: this.root }),
    );
    this.#clients.push(client);
    return client;
  }

  /** A server over HTTP in the world; its address is one that clients outside of the world reach. */
  async serve(args: readonly string[]): Promise<ServedPlace> {
    const served = await ServedPlace.start(this, args);
    this.#served.push(served);
    return served;
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close().catch(() => undefined)));
    await Promise.all(this.#served.splice(0).map((each) => each.close()));
    await this.world.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
