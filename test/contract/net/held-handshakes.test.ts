import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTool, runToolOrFail } from '../../../src/base/process.ts';
import type { EgressGate } from '../../../src/engine/net/index.ts';
import { allowing, EgressLab, echo } from './egress-lab.ts';
import type { Scanned, ScanOrder } from './hold-scan.ts';
import { needNetwork, needTool, newRunId } from './lab.ts';

let lab = new EgressLab();
beforeEach(async (context) => {
  await needNetwork(context);
  await needTool(context, 'nmap');
  lab = new EgressLab();
});
afterEach(() => lab.close());

const address = { live: '10.77.0.10', silent: '10.77.0.20', refused: '10.77.0.30', nowhere: '10.99.0.1' } as const;
const address6 = { live: 'fd77::10', silent: 'fd77::20', refused: 'fd77::30' } as const;

/** A namespace with addresses of its own and no way out; packets to the refused addresses are counted. */
class World {
  readonly name = newRunId();

  async make(): Promise<void> {
    await runToolOrFail('ip', ['netns', 'add', this.name]);
    const own = [...Object.values(address).slice(0, 3), ...Object.values(address6)];
    const links = ['link set lo up', ...own.map((each) => `addr add ${each} dev lo`)];
    for (const each of links) await runToolOrFail('ip', ['-n', this.name, ...each.split(' ')]);
    const rules = `table inet world {
  chain in {
    type filter hook input priority filter; policy accept;
    ip daddr ${address.silent} tcp dport 80 drop
    ip6 daddr ${address6.silent} tcp dport 80 drop
  }
  chain out {
    type filter hook output priority filter; policy accept;
    ip daddr ${address.refused} counter
    ip6 daddr ${address6.refused} counter
  }
}
`;
    await runToolOrFail('ip', ['netns', 'exec', this.name, 'nft', '-f', '-'], { input: rules });
  }

  async refusedPackets(): Promise<readonly string[]> {
    const { stdout } = await runTool('ip', [
      'netns',
      'exec',
      this.name,
      'nft',
      'list',
      'chain',
      'inet',
      'world',
      'out',
    ]);
    return [...stdout.toString().matchAll(/packets (\d+)/g)].map(([, count = '']) => count);
  }

  /** Not with `ip netns exec`, whose mounts would hide the namespaces that the gate makes from everybody else. */
  async scan(order: ScanOrder): Promise<Scanned> {
    const file = fileURLToPath(new URL('./hold-scan.ts', import.meta.url));
    const argv = [`--net=/run/netns/${this.name}`, process.execPath, '--no-warnings', file, JSON.stringify(order)];
    const { stdout } = await runToolOrFail('nsenter', argv, { timeoutMs: 50_000, maxOutputBytes: 16 * 1024 * 1024 });
    return JSON.parse(stdout.toString()) as Scanned;
  }

  async close(): Promise<void> {
    await runTool('ip', ['netns', 'delete', this.name]);
  }
}

async function inWorld<T>(use: (world: World) => Promise<T>): Promise<T> {
  const world = new World();
  try {
    await world.make();
    return await use(world);
  } finally {
    await world.close();
  }
}

const statesOf = (text: string): string =>
  [...text.matchAll(/(\d+)\/(open|closed|filtered)\//g)].map(([, port, state]) => `${port} ${state}`).join(', ');

describe('a port scan from the box', () => {
  it('sees ports as they are, and sends nothing to what is out of scope', async () => {
    await inWorld(async (world) => {
      const { said, attempts, end, events } = await world.scan({
        listen: [
          [address.live, 80],
          [address.live, 53],
          [address6.live, 80],
        ],
        allow: [address.live, address.silent, address.nowhere, address6.live, address6.silent],
        scans: [
          `-p 53,80,81 ${address.live}`,
          `-p 80,81 ${address.silent}`,
          `-p 80 ${address.nowhere}`,
          `-p 80,81 ${address.refused}`,
          `-6 -p 53,80 ${address6.live}`,
          `-6 -p 80 ${address6.silent}`,
          `-6 -p 80 ${address6.refused}`,
          `-p 1-1000 ${address.live}`,
        ],
      });
      expect(said.slice(0, 7).map(statesOf)).toEqual([
        '53 open, 80 open, 81 closed',
        '80 filtered, 81 closed',
        '80 filtered',
        '80 closed, 81 closed',
        '53 closed, 80 open',
        '80 filtered',
        '80 closed',
      ]);
      expect(said[7]).toContain('Ignored State: closed (998)');
      expect(await world.refusedPackets()).toEqual(['0', '0']);
      expect(attempts.blocked).toBe(3);
      const refused = events.filter(({ kind }) => kind === 'egress-refused');
      expect(refused.map(({ asked }) => asked.address).toSorted()).toEqual(
        [address.refused, address.refused, address6.refused].toSorted(),
      );
      expect(end).toMatchObject({ isComplete: true, received: events.length });
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
    });
  });

  it('does not take a connection that met itself for an open port', async () => {
    await inWorld(async (world) => {
      // With one port to connect from, a connection to that port can only meet itself.
      const scans = [`-p 40000 ${address.live}`];
      const { said } = await world.scan({ listen: [], allow: [address.live], scans, ownPorts: '40000 40000' });
      expect(statesOf(said[0] ?? '')).toBe('40000 closed');
    });
  });
});

const inBox = async (gate: EgressGate, script: string): Promise<string> => {
  const result = await runTool('ip', gate.namespaces.inBox(['python3', '-c', script]), { timeoutMs: 30_000 });
  return (result.stdout.toString() + result.stderr.toString()).trim();
};

/** Says hello to each address and prints what came back, or why nothing did. */
const hello = (ends: readonly (readonly [string, number])[], seconds = 10): string => `
import socket
for end in ${JSON.stringify(ends)}:
    try:
        s = socket.create_connection(tuple(end), ${seconds}); s.sendall(b'hello'); s.shutdown(1); print(s.recv(10).decode())
    except OSError as e: print(type(e).__name__)
`;

describe('loopback of the host', () => {
  it.each([true, false])('is reached where it is led and allowed, handshakes held: %s', async (holdsHandshakes) => {
    const named = await lab.upstream(echo, '127.66.0.1');
    const other = await lab.upstream(echo, '127.66.0.2');
    const six = await lab.upstream(echo, '::1');
    const gate = await lab.open({
      policy: allowing(['127.66.0.1', named.port], ['::1', six.port], ['127.66.0.3', '*']),
      holdsHandshakes,
      hostLoopback: ['127.66.0.1', '127.66.0.2', '::1'],
    });
    const ends = [
      ['127.66.0.1', named.port],
      ['127.66.0.2', other.port],
      ['127.66.0.3', named.port],
      ['::1', six.port],
    ] as const;
    const said = (await inBox(gate, hello(ends))).split('\n');
    expect(said[0]).toBe('hello');
    expect(said[1]).toBe(holdsHandshakes ? 'ConnectionRefusedError' : 'ConnectionResetError');
    // Allowed, and not led: it is the box's own.
    expect(said[2]).toBe('ConnectionRefusedError');
    expect(said[3]).toBe('hello');
    expect([named.accepted(), other.accepted(), six.accepted()]).toEqual([1, 0, 1]);
    expect(lab.of('egress-allowed').map(({ asked, fields }) => [asked.address, fields.address])).toEqual([
      ['127.66.0.1', '127.66.0.1'],
      ['::1', '::1'],
    ]);
    expect(lab.of('egress-refused').map(({ asked }) => asked.address)).toEqual(['127.66.0.2']);
    const own = `
import socket
for address in ('127.0.0.1', '127.66.0.3'):
    server = socket.create_server((address, 0)); client = socket.create_connection(server.getsockname(), 5)
    print(server.accept()[1] == client.getsockname())
`;
    expect(await inBox(gate, own)).toBe('True\nTrue');
  });
});

describe('held handshakes', () => {
  it('find the names that the gate made addresses up for', async () => {
    const { port } = await lab.upstream(echo);
    await lab.open({ policy: allowing(['api.example', port], ['127.0.0.1', port]), holdsHandshakes: true });
    expect(await lab.talk('api.example', port)).toBe('hello\n');
    const allowed = lab.of('egress-allowed');
    expect(allowed.map(({ asked, fields }) => [asked.name, fields.host])).toEqual([['api.example', 'api.example']]);
  });

  it('of two gates do not mix', async () => {
    const first = await lab.upstream(echo, '127.66.1.1');
    const second = await lab.upstream(echo, '127.66.1.1');
    const gates = await Promise.all(
      [first, second].map(({ port }) =>
        lab.open({ policy: allowing(['127.66.1.1', port]), holdsHandshakes: true, hostLoopback: ['127.66.1.1'] }),
      ),
    );
    const ends = Array.from(
      { length: 40 },
      (_, at) => ['127.66.1.1', at % 2 === 0 ? first.port : second.port] as const,
    );
    const said = await Promise.all(gates.map((gate) => inBox(gate, hello(ends))));
    const expected = (whose: number) => ends.map((_, at) => (at % 2 === whose ? 'hello' : 'ConnectionRefusedError'));
    expect(said.map((each) => each.split('\n'))).toEqual([expected(0), expected(1)]);
    expect([first.accepted(), second.accepted()]).toEqual([20, 20]);
  });

  it.each(['holder', 'router'] as const)('pass nothing when the %s has been killed', async (which) => {
    const { port, accepted } = await lab.upstream(echo, '127.66.2.1');
    const policy = allowing(['127.66.2.1', port]);
    const gate = await lab.open({ policy, holdsHandshakes: true, hostLoopback: ['127.66.2.1'] });
    expect(await inBox(gate, hello([['127.66.2.1', port]]))).toBe('hello');
    const pid = which === 'holder' ? gate.holderPid : gate.routerPid;
    process.kill(pid ?? 0, 'SIGKILL');
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
    expect(await inBox(gate, hello([['127.66.2.1', port]], 1))).toMatch(/^(TimeoutError|timeout|Connection\w+Error)$/);
    expect(accepted()).toBe(1);
    const [end] = await lab.closeGates();
    expect(end?.isComplete).toBe(false);
  });

  it('leave nothing: no process, no namespace, no descriptor', async () => {
    const { port } = await lab.upstream(echo, '127.66.3.1');
    const options = { holdsHandshakes: true, hostLoopback: ['127.66.3.1'] };
    const descriptors = (): number => readdirSync('/proc/self/fd').length;
    const before = descriptors();
    const gate = await lab.open({ policy: allowing(['127.66.3.1', port]), ...options });
    const pids = [gate.holderPid, gate.routerPid];
    expect(await inBox(gate, hello([['127.66.3.1', port]]))).toBe('hello');
    const status = await runTool('cat', [`/proc/${gate.holderPid}/status`]);
    expect(status.stdout.toString()).toMatch(/^Uid:\t65534\t65534\t65534\t65534$/m);
    expect(status.stdout.toString()).toMatch(/^CapEff:\t0{12}1000$/m);
    const [end] = await lab.closeGates();
    expect(end).toMatchObject({ isComplete: true });
    for (const pid of pids) expect(existsSync(`/proc/${pid}`)).toBe(false);
    for (const path of gate.namespaces.paths) expect(existsSync(path)).toBe(false);
    await expect.poll(descriptors).toBeLessThanOrEqual(before);
  });
});
