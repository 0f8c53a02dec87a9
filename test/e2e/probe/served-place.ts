import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { cleanEnvironment } from '../hotcell.ts';
import type { Place } from './place.ts';

/** `hotcell probe --transport http` in the world, with a way to it: a socket in the file system is in every network. */

const token = 'a-token-for-tests-0123456789';
const relay = `const net = require('node:net');
const [path, port] = process.argv.slice(1);
net.createServer((near) => {
  const far = net.connect(Number(port), '127.0.0.1');
  require('node:stream').pipeline(near, far, () => far.destroy());
  require('node:stream').pipeline(far, near, () => near.destroy());
}).listen(path, () => console.log('ready'));
process.stdin.on('end', () => process.exit()).resume();`;

function firstLine(child: ChildProcess, stream: 'stdout' | 'stderr', fits: (line: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const seen: string[] = [];
    const source = child[stream];
    if (source === null) throw new Error('no pipe');
    createInterface({ input: source }).on('line', (line) => {
      seen.push(line);
      if (fits(line)) resolve(line);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${seen.join('\n')}`)));
  });
}

export class ServedPlace {
  readonly process: ChildProcess;
  readonly #relay: ChildProcess;
  readonly #door: Server;
  readonly #clients: Client[] = [];

  private constructor(served: ChildProcess, between: ChildProcess, door: Server) {
    this.process = served;
    this.#relay = between;
    this.#door = door;
  }

  static async start(place: Place, args: readonly string[]): Promise<ServedPlace> {
    const http = ['--transport', 'http', '--http-port', '0'];
    const [file = '', ...rest] = place.argv(['probe', ...http, ...args], { environment: { MCP_TOKEN: token } });
    const options = { cwd: place.root, env: cleanEnvironment() };
    const served = spawn(file, rest, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    const line = await firstLine(served, 'stderr', (each) => each.includes('"serving"'));
    const { url } = JSON.parse(line) as { url: string };
    const path = join(place.root, `relay-${served.pid}.sock`);
    const [command = '', ...words] = place.world.inOuter([process.execPath, '-e', relay, path, new URL(url).port]);
    const between = spawn(command, words, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
    await firstLine(between, 'stdout', (each) => each === 'ready');
    const door = createServer((near) => {
      const far = connect(path);
      pipeline(near, far, () => far.destroy());
      pipeline(far, near, () => near.destroy());
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    return new ServedPlace(served, between, door);
  }

  async client(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    const { port } = this.#door.address() as AddressInfo;
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }));
    this.#clients.push(client);
    return client;
  }

  /** Asks it to end, and says with what it did. */
  async close(): Promise<number | null> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close().catch(() => undefined)));
    const ended = new Promise<number | null>((resolve) => {
      const { exitCode, signalCode } = this.process;
      if (exitCode !== null || signalCode !== null) resolve(exitCode);
      this.process.once('exit', resolve);
    });
    this.process.kill('SIGTERM');
    const code = await ended;
    this.#relay.stdin?.end();
    this.#door.close();
    return code;
  }
}
