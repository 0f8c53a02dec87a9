import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/base/errors.ts';
import { EgressGate, type ResolveHost } from '../../../src/engine/net/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { allowing, EgressLab, echo } from './egress-lab.ts';
import { bytesOf, needNetwork, newRunId } from './lab.ts';

let lab = new EgressLab();
beforeEach(async (context) => {
  await needNetwork(context);
  lab = new EgressLab();
});
afterEach(() => lab.close());

/** Answers from a table, and remembers what it was asked. */
function tableResolver(table: Readonly<Record<string, readonly string[]>>): ResolveHost & { asked: string[] } {
  const asked: string[] = [];
  const resolve = async (name: string): Promise<readonly string[]> => {
    asked.push(name);
    const found = table[name];
    if (found === undefined) throw new Error(`ENOTFOUND ${name}`);
    return found;
  };
  return Object.assign(resolve, { asked });
}

const publicAddress = '93.184.216.34';

describe('what the policy lists', () => {
  it('goes through by name, with the bytes of both directions, and is recorded from end to end', async () => {
    const { port } = await lab.upstream(echo);
    await lab.open({ policy: allowing(['api.example', port], ['127.0.0.1', port]) });
    expect(await lab.talk('api.example', port)).toBe('hello\n');
    await lab.until(({ kind }) => kind === 'connection-close');
    const [end] = await lab.closeGates();
    expect(lab.events.map(({ kind }) => kind).filter((kind) => !kind.startsWith('dns-'))).toEqual([
      'connection-open',
      'egress-allowed',
      'raw-bytes',
      'connection-close',
    ]);
    expect(lab.of('dns-query').length).toBeGreaterThan(0);
    expect(lab.of('dns-answer').length).toBe(lab.of('dns-query').length);
    const [allowed] = lab.of('egress-allowed');
    expect(allowed?.fields).toMatchObject({ host: 'api.example', port, address: '127.0.0.1', skipped: [] });
    expect(allowed?.asked).toMatchObject({ name: 'api.example', port });
    expect(lab.of('raw-bytes').map((event) => bytesOf(event).toString())).toEqual(['hello\n']);
    expect(lab.of('connection-close')[0]?.fields).toMatchObject({
      bytesRead: 6,
      bytesWritten: 6,
      bytesSentUpstream: 6,
      bytesReadUpstream: 6,
      problem: null,
    });
    expect(end).toMatchObject({ isComplete: true, missing: 0, diedAtMs: null, received: lab.events.length });
    expect(lab.events.map(({ sequence }) => sequence)).toEqual(lab.events.map((_, at) => at + 1));
  });

  it('goes through for curl, over IPv4 and IPv6 inside the box, whatever the family outside', async () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\nconnection: close\r\n\r\nyes';
    const { port } = await lab.upstream((socket) => void socket.once('data', () => socket.end(answer)), '::1');
    await lab.open({
      policy: allowing(['api.example', port], ['::1', port]),
      resolve: async () => ['::1'],
    });
    for (const family of ['-4', '-6']) {
      const spoken = await lab.inBox(['curl', '-sS', '-m', '10', family, `http://api.example:${port}/path`]);
      expect(spoken).toMatchObject({ code: 0, stdout: 'yes' });
    }
    const requests = lab.of('http-request');
    expect(requests.map(({ fields }) => fields)).toEqual([
      { method: 'GET', path: '/path', host: `api.example:${port}`, isWhole: false },
      { method: 'GET', path: '/path', host: `api.example:${port}`, isWhole: false },
    ]);
    expect(requests.map(({ asked }) => asked.address.includes(':'))).toEqual([false, true]);
  });

  it('lets a server speak first', async () => {
    const { port } = await lab.upstream((socket) => {
      socket.write('220 ready\n');
      socket.once('data', () => socket.end('221 bye\n'));
    });
    await lab.open({ policy: allowing(['mail.example', port], ['127.0.0.1', port]) });
    const { stdout } = await lab.python(`
import socket
s = socket.create_connection(('mail.example', ${port}), 10)
f = s.makefile('rb'); print(f.readline().decode().strip()); s.sendall(b'QUIT\\n'); print(f.readline().decode().strip())
`);
    expect(stdout).toBe('220 ready\n221 bye\n');
  });

  it.each([
    ['upper case', 'API.Example', 'api.example'],
    ['a dot at the end', 'api.example.', 'api.example'],
    ['an international name', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['what stands below a suffix', 'a.b.wide.example', '.wide.example'],
    ['the suffix itself', 'wide.example', '.wide.example'],
    ['the longest name', `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`, '.example'],
  ])('is found by %s', async (_, asked, listed) => {
    const { port } = await lab.upstream(echo);
    await lab.open({ policy: allowing([listed, port], ['127.0.0.1', port]) });
    expect(await lab.talk(asked, port)).toBe('hello\n');
  });

  it('can be an address', async () => {
    const { port, accepted } = await lab.upstream(echo);
    const resolve = tableResolver({});
    const connected: string[] = [];
    await lab.open({
      policy: allowing([publicAddress, 4000], ['2606:4700::1111', 4000]),
      resolve,
      connect: async (address) => {
        connected.push(address);
        const { connect } = await import('node:net');
        return connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      },
    });
    expect(await lab.talk(publicAddress, 4000)).toBe('hello\n');
    expect(await lab.talk('2606:4700::1111', 4000)).toBe('hello\n');
    expect(await lab.talk(publicAddress, 4001)).toBe('ECONNRESET');
    expect({ connected, accepted: accepted(), asked: resolve.asked }).toEqual({
      connected: [publicAddress, '2606:4700::1111'],
      accepted: 2,
      asked: [],
    });
  });
});

describe('what the policy does not list', () => {
  it('has no name, no address and no port', async () => {
    const { port, accepted } = await lab.upstream(echo);
    const resolve = tableResolver({ 'api.example': ['127.0.0.1'] });
    await lab.open({ policy: allowing(['api.example', port], ['127.0.0.1', port]), resolve });
    expect(await lab.talk('other.example', port)).toBe('ENOTFOUND');
    expect(await lab.talk('xapi.example', port)).toBe('ENOTFOUND');
    expect(await lab.talk('api.example.evil', port)).toBe('ENOTFOUND');
    expect(await lab.talk('api.example', port === 65_535 ? 65_534 : port + 1)).toBe('ECONNRESET');
    expect(await lab.talk(publicAddress, port)).toBe('ECONNRESET');
    expect(await lab.talk('2606:4700::1111', port)).toBe('ECONNRESET');
    expect(await lab.talk('169.254.169.254', 80)).toBe('ECONNRESET');
    await lab.until(() => lab.of('egress-refused').length === 4);
    expect(lab.of('egress-refused').map(({ fields }) => fields.because)).toEqual(Array(4).fill('not-listed'));
    expect(lab.of('egress-refused').map(({ asked }) => asked.name)).toEqual(['api.example', null, null, null]);
    expect({ accepted: accepted(), asked: resolve.asked }).toEqual({ accepted: 0, asked: [] });
    const refusedNames = lab.of('dns-answer').filter(({ fields }) => fields.code === 3);
    expect(JSON.stringify(refusedNames.map(({ fields }) => fields.questions))).toContain('other.example');
  });

  it('is refused over UDP, and nothing answers a ping', async () => {
    await lab.open({ policy: allowing(['*', '*']) });
    const { stdout } = await lab.python(`
import socket, struct
def ask(family, where, data, kind=socket.SOCK_DGRAM, proto=0):
    s = socket.socket(family, kind, proto); s.settimeout(0.5)
    try:
        s.sendto(data, where); s.recv(100); return 'answered'
    except OSError as e: return type(e).__name__
print(ask(socket.AF_INET, ('${publicAddress}', 123), b'\\x1b' + b'\\0' * 47))
print(ask(socket.AF_INET, ('${publicAddress}', 5353), b'x' * 20))
print(ask(socket.AF_INET6, ('2606:4700::1111', 443), b'datagram'))
print(ask(socket.AF_INET, ('${publicAddress}', 0), b'\\x08\\x00\\xf7\\xff\\0\\0\\0\\0', socket.SOCK_RAW, 1))
print(ask(socket.AF_INET6, ('2606:4700::1111', 0), b'\\x80\\x00\\0\\0\\0\\1\\0\\1', socket.SOCK_RAW, 58))
`);
    expect(stdout.trim().split('\n')).toEqual(Array(5).fill('TimeoutError'));
    const refused = lab.of('egress-refused');
    expect(refused.map(({ fields, asked, transport }) => [fields.because, asked.port, transport])).toEqual([
      ['datagram', 123, 'udp'],
      ['datagram', 5353, 'udp'],
      ['datagram', 443, 'udp'],
    ]);
    expect(bytesOf(refused[2] ?? lab.events[0] ?? expect.fail()).toString()).toBe('datagram');
  });

  it('survives what is no question, and names with odd bytes', async () => {
    await lab.open({ policy: allowing(['api.example', 80]) });
    const { stdout } = await lab.python(`
import socket
def q(*labels): return bytes.fromhex('abcd01000001000000000000') + b''.join(bytes([len(l)]) + l for l in labels) + b'\\0\\0\\1\\0\\1'
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.settimeout(5); u.connect(('4.4.4.4', 53))
def ask(data):
    u.send(data); return u.recv(600)[3] & 15
print(ask(b'\\xab\\xcd\\1'), ask(q(b'api', b'example')), ask(q(b'api.example')), ask(q(b'api\\0', b'example')),
  ask(q(b'\\xc3\\xa4pi', b'example')), ask(q(*[b'a' * 62] * 4)), ask(q()))
t = socket.create_connection(('2001:4860:4860::8888', 53), 5)
d = q(b'api', b'example'); t.sendall(len(d).to_bytes(2, 'big') + d[:7]); t.sendall(d[7:]); print(t.recv(600)[5] & 15)
`);
    expect(stdout).toBe('1 0 3 3 3 3 3\n0\n');
  });
});

describe('an allowed name', () => {
  it.each([
    ['loopback', '127.0.0.1'],
    ['loopback over IPv6', '::1'],
    ['loopback, wrapped', '::ffff:127.0.0.1'],
    ['a private network', '10.1.2.3'],
    ['a private network over IPv6', 'fd12::1'],
    ['link-local', '169.254.7.7'],
    ['metadata', '169.254.169.254'],
    ['nowhere', '0.0.0.0'],
  ])('that points to %s is refused', async (_, address) => {
    const { port, accepted } = await lab.upstream(echo);
    const connected: string[] = [];
    await lab.open({
      policy: allowing(['api.example', port]),
      resolve: async () => [address],
      connect: async (to) => {
        connected.push(to);
        throw new Error('never');
      },
    });
    expect(await lab.talk('api.example', port)).toBe('ECONNRESET');
    const refused = await lab.until(({ kind }) => kind === 'egress-refused');
    expect(refused.fields).toMatchObject({ because: 'special-address', host: 'api.example', resolved: [address] });
    expect({ connected, accepted: accepted() }).toEqual({ connected: [], accepted: 0 });
  });

  it('whose second answer is another one is judged by the one that is connected to', async () => {
    const { port } = await lab.upstream(echo);
    const answers = [[publicAddress], ['127.0.0.1'], ['127.0.0.1', publicAddress]];
    const connected: string[] = [];
    let questions = 0;
    await lab.open({
      policy: allowing(['rebind.example', 4000]),
      resolve: async () => answers[questions++] ?? [],
      connect: async (address) => {
        connected.push(address);
        const { connect } = await import('node:net');
        return connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      },
    });
    const heard = [];
    for (let count = 0; count < 4; count += 1) heard.push(await lab.talk('rebind.example', 4000));
    expect(heard).toEqual(['hello\n', 'ECONNRESET', 'hello\n', 'ECONNRESET']);
    expect({ connected, questions }).toEqual({ connected: [publicAddress, publicAddress], questions: 4 });
    const [, mixed] = lab.of('egress-allowed');
    expect(JSON.stringify(mixed?.fields.skipped)).toContain('127.0.0.1 is a loopback address');
    const failed = await lab.until(({ kind }) => kind === 'egress-failed');
    expect(failed.fields).toMatchObject({ because: 'no-such-name' });
  });

  it('is tried at all of its addresses, one after the other', async () => {
    const { port } = await lab.upstream(echo);
    const connected: string[] = [];
    await lab.open({
      policy: allowing(['api.example', 4000]),
      resolve: async () => ['192.31.7.1', publicAddress],
      connect: async (address) => {
        connected.push(address);
        if (address !== publicAddress) throw new Error('ECONNREFUSED');
        const { connect } = await import('node:net');
        return connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      },
    });
    expect(await lab.talk('api.example', 4000)).toBe('hello\n');
    expect(connected).toEqual(['192.31.7.1', publicAddress]);
  });
});

describe('the gate', () => {
  it.each(['none', 'fake'] as const)('does not open for mode %s', async (mode) => {
    const policy = { ...tierPolicy('LOW'), network: { mode, rules: [] } };
    await expect(EgressGate.start({ runId: newRunId(), policy, onEvents: () => undefined })).rejects.toThrow(
      UsageError,
    );
  });
});
