import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { runTool } from '../../../src/base/process.ts';
import {
  type EgressAttempts,
  EgressGate,
  type NetEvent,
  type WireCompleteness,
} from '../../../src/engine/net/index.ts';
import { allowing } from './egress-lab.ts';
import { newRunId } from './lab.ts';

/**
 * Started in a network namespace of the test: opens a gate there, so that all it connects to is in that namespace, scans
 * from its box, and prints what the scanner said and what was recorded.
 */
export interface ScanOrder {
  readonly listen: readonly (readonly [host: string, port: number])[];
  readonly allow: readonly string[];
  /** Arguments of nmap; all at the same time. */
  readonly scans: readonly string[];
  /** The ports that the system may connect from. */
  readonly ownPorts?: string;
}

export interface Scanned {
  readonly said: readonly string[];
  readonly attempts: EgressAttempts;
  readonly end: WireCompleteness;
  readonly events: readonly NetEvent[];
}

const order = JSON.parse(process.argv[2] ?? '') as ScanOrder;
const servers = await Promise.all(
  order.listen.map(async ([host, port]) => {
    const server = createServer((socket) => void socket.on('error', () => undefined).end('hello'));
    await new Promise<void>((resolve) => void server.listen(port, host, resolve));
    return server;
  }),
);
if (order.ownPorts !== undefined) writeFileSync('/proc/sys/net/ipv4/ip_local_port_range', order.ownPorts);
const events: NetEvent[] = [];
const gate = await EgressGate.start({
  runId: newRunId(),
  policy: allowing(),
  onEvents: (batch) => void events.push(...batch),
  holdsHandshakes: true,
  limits: { connectMs: 4000 },
  decide: (_host, _port, address) =>
    order.allow.includes(address)
      ? { is: 'allowed', address }
      : { is: 'refused', because: 'not-listed', detail: 'out of scope' },
});
const said = await Promise.all(
  order.scans.map(async (scan) => {
    const argv = gate.namespaces.inBox(['nmap', '-sT', '-Pn', '-n', '-oG', '-', ...scan.split(' ')]);
    return (await runTool('ip', argv, { timeoutMs: 30_000 })).stdout.toString();
  }),
);
const { attempts } = gate;
const end = await gate.close();
for (const server of servers) server.close();
const scanned: Scanned = { said, attempts, end, events };
process.stdout.write(JSON.stringify(scanned));
