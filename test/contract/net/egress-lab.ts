import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkRule, Policy } from '../../../src/base/policy-schema.ts';
import { runTool } from '../../../src/base/process.ts';
import {
  EgressGate,
  type EgressGateOptions,
  type NetEvent,
  type NetEventKind,
  resolverFile,
  type WireCompleteness,
} from '../../../src/engine/net/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { newRunId, type Spoken } from './lab.ts';

/** An egress gate whose upstream is a server of the test on loopback. Nothing here leaves this machine. */

export function allowing(...rules: readonly (readonly [host: string, port: NetworkRule['port']])[]): Policy {
  const network = { mode: 'allowlist' as const, rules: rules.map(([host, port]) => ({ host, port })) };
  return { ...tierPolicy('LOW'), network };
}

export const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

export class EgressLab {
  readonly folder = mkdtempSync(join(tmpdir(), 'hotcell-egress-'));
  readonly events: NetEvent[] = [];
  readonly #gates: EgressGate[] = [];
  readonly #servers: { readonly server: Server; readonly sockets: Set<Socket> }[] = [];

  /** A server on loopback that the gate can be led to; `accepted` counts who came. */
  async upstream(
    serve: (socket: Socket) => void,
    host = '127.0.0.1',
  ): Promise<{ port: number; accepted: () => number }> {
    const sockets = new Set<Socket>();
    let count = 0;
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      count += 1;
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
      serve(socket);
    });
    this.#servers.push({ server, sockets });
    await new Promise<void>((resolve) => void server.listen(0, host, resolve));
    return { port: portOf(server), accepted: () => count };
  }

  async open(options: Partial<EgressGateOptions> & Pick<EgressGateOptions, 'policy'>): Promise<EgressGate> {
    const gate = await EgressGate.start({
      runId: newRunId(),
      onEvents: (events) => void this.events.push(...events),
      resolve: async () => ['127.0.0.1'],
      ...options,
    });
    this.#gates.push(gate);
    writeFileSync(join(this.folder, 'resolv.conf'), resolverFile.content);
    return gate;
  }

  get gate(): EgressGate {
    const last = this.#gates.at(-1);
    if (last === undefined) throw new TypeError('no gate is open');
    return last;
  }

  /** In the box's network, with the resolver that a box would have; the mount is seen by this program alone. */
  async inBox(argv: readonly string[], input?: string): Promise<Spoken> {
    return this.#run(this.gate.namespaces.inBox(this.asBox(argv)), input);
  }

  asBox(argv: readonly string[]): readonly string[] {
    const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
    return ['unshare', '-m', 'sh', '-c', script, join(this.folder, 'resolv.conf'), ...argv];
  }

  async inRouter(argv: readonly string[]): Promise<Spoken> {
    return this.#run(this.gate.namespaces.inRouter(argv));
  }

  async #run(argv: readonly string[], input?: string): Promise<Spoken> {
    const result = await runTool('ip', argv, { timeoutMs: 50_000, ...(input === undefined ? {} : { input }) });
    return { code: result.code, stdout: result.stdout.toString(), stderr: result.stderr.toString() };
  }

  /** Runs a script in the Node that runs the tests. */
  node(script: string): Promise<Spoken> {
    return this.inBox([process.execPath, '--input-type=module', '-e', script]);
  }

  python(script: string): Promise<Spoken> {
    return this.inBox(['python3', '-c', script]);
  }

  /** Says one line to a host and tells what came back, or why nothing did. */
  async talk(host: string, port: number, text = 'hello\n'): Promise<string> {
    const { stdout, stderr } = await this.node(`
import { connect } from 'node:net';
const socket = connect({ host: ${JSON.stringify(host)}, port: ${port}, autoSelectFamily: false }, () => socket.end(${JSON.stringify(text)}));
let heard = '';
socket.setTimeout(15000, () => { console.log('timeout'); socket.destroy(); });
socket.on('data', (chunk) => { heard += chunk; }).on('error', (error) => { heard = error.code; });
socket.on('close', () => process.stdout.write(heard));
`);
    return stdout + stderr;
  }

  async until(fits: (event: NetEvent) => boolean, timeoutMs = 40_000): Promise<NetEvent> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const found = this.events.find(fits);
      if (found !== undefined) return found;
      if (Date.now() > deadline) {
        const seen = this.events.map(({ kind, fields }) => `${kind} ${JSON.stringify(fields).slice(0, 160)}`);
        throw new Error(`no such event among:\n${seen.join('\n')}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  of(kind: NetEventKind): readonly NetEvent[] {
    return this.events.filter((event) => event.kind === kind);
  }

  async closeGates(): Promise<readonly WireCompleteness[]> {
    return Promise.all(this.#gates.splice(0).map((gate) => gate.close()));
  }

  async close(): Promise<void> {
    await this.closeGates();
    for (const { server, sockets } of this.#servers.splice(0)) {
      server.close();
      for (const socket of sockets) socket.destroy();
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Says back what it hears. */
export const echo = (socket: Socket): void => void socket.pipe(socket);
