import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bytesOf, Lab, needNetwork, needTool, whyNoNetwork } from './lab.ts';

const lab = new Lab();

beforeAll(async () => {
  if ((await whyNoNetwork()) !== null) return;
  await lab.open({
    dns: [
      { name: 'gone.example', type: 'NXDOMAIN', value: '' },
      { name: 'fixed.example', type: 'A', value: '203.0.113.7' },
      { name: 'mail.example', type: 'MX', value: '5 mx1.mail.example' },
      { name: 'note.example', type: 'TXT', value: 'hello from a seed' },
    ],
    caps: { keptBytes: 4096, tasteMs: 400 },
  });
});
beforeEach((context) => needNetwork(context));
afterAll(() => lab.close());

const curl = (...args: readonly string[]) => lab.inBox(['curl', '-sS', '-m', '15', ...args]);
/** curl asks our DNS by itself only through the system's resolver, so the tests name the address. */
const at = (host: string, port: number, address = '203.0.113.9'): readonly string[] => [
  '--resolve',
  `${host}:${port}:${address}`,
];

/** Looks names up as a Node program would, at a resolver that does not exist. */
const lookUp = (calls: string): Promise<{ stdout: string; stderr: string }> =>
  lab.node(`
import { Resolver } from 'node:dns/promises';
const resolver = new Resolver({ timeout: 3000, tries: 2 });
resolver.setServers(['9.9.9.9']);
const out = async (work) => { try { return await work; } catch (error) { return error.code; } };
console.log(JSON.stringify(await (async () => { ${calls} })()));
`);

describe('DNS', () => {
  it('gives a name the same made-up address every time, and takes it back to the name', async () => {
    const { stdout, stderr } = await lookUp(`
      const [first] = await resolver.resolve4('stable.example');
      const [again] = await resolver.resolve4('STABLE.example');
      const [six] = await resolver.resolve6('stable.example');
      const [other] = await resolver.resolve4('unstable.example');
      return { first, again, six, other, back: await resolver.reverse(first), back6: await resolver.reverse(six) };`);
    expect(stderr).toBe('');
    const found = JSON.parse(stdout) as Record<string, unknown>;
    expect(found.first).toMatch(/^198\.1[89]\./);
    expect(found.six).toMatch(/^2001:db8:/);
    expect(found.again).toBe(found.first);
    expect(found.other).not.toBe(found.first);
    expect(found).toMatchObject({ back: ['stable.example'], back6: ['stable.example'] });
    const query = await lab.until(
      ({ kind, fields }) => kind === 'dns-query' && JSON.stringify(fields).includes('"stable.example"'),
    );
    expect(query.asked).toEqual({ address: '9.9.9.9', port: 53, name: null });
    expect(bytesOf(query).includes('stable')).toBe(true);
    expect(lab.of('dns-answer').length).toBeGreaterThan(0);
  });

  it('answers the other types, and what the seeds say', async () => {
    const { stdout } = await lookUp(`return {
      txt: await out(resolver.resolveTxt('note.example')),
      anyTxt: await out(resolver.resolveTxt('else.example')),
      mx: await out(resolver.resolveMx('mail.example')),
      anyMx: await out(resolver.resolveMx('else.example')),
      srv: await out(resolver.resolveSrv('_ldap._tcp.else.example')),
      fixed: await out(resolver.resolve4('fixed.example')),
      gone: await out(resolver.resolve4('gone.example')),
      never: await out(resolver.resolve4('a.invalid')),
      cname: await out(resolver.resolveCname('else.example')),
      nobody: await out(resolver.reverse('192.0.2.1')),
    };`);
    expect(JSON.parse(stdout)).toMatchObject({
      txt: [['hello from a seed']],
      anyTxt: [['v=spf1 -all']],
      mx: [{ exchange: 'mx1.mail.example', priority: 5 }],
      anyMx: [{ exchange: 'mail.else.example', priority: 10 }],
      srv: [{ name: 'else.example', port: 389, priority: 0, weight: 5 }],
      fixed: ['203.0.113.7'],
      gone: 'ENOTFOUND',
      never: 'ENOTFOUND',
      cname: 'ENODATA',
      nobody: 'ENOTFOUND',
    });
  });

  it('speaks TCP and IPv6, and survives what is no question', async () => {
    const { stdout } = await lab.inBox([
      'python3',
      '-c',
      `
import socket
q = bytes.fromhex('abcd01000001000000000000') + b'\\x03tcp\\x07example\\x00\\x00\\x01\\x00\\x01'
s = socket.create_connection(('2001:4860:4860::8888', 53), 5)
s.sendall(len(q).to_bytes(2, 'big') + q[:9]); s.sendall(q[9:])
print(s.recv(600)[2:4].hex())
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); u.settimeout(5); u.connect(('4.4.4.4', 53))
for bad in [b'x', b'\\xab\\xcd\\x01\\x00\\x00\\x01' + b'\\0' * 6 + b'\\xc0\\x0c\\x00\\x01\\x00\\x01', q]:
    u.send(bad)
print(u.recv(600)[:4].hex(), u.recv(600)[:4].hex())
`,
    ]);
    expect(stdout).toBe('abcd\nabcd8081 abcd8180\n');
  });
});

describe('HTTP and HTTPS', () => {
  it.each([
    { what: 'an address with no name', argv: ['http://93.184.216.34/x'], asked: ['93.184.216.34', 80] },
    { what: 'another port', argv: ['http://93.184.216.34:8123/x'], asked: ['93.184.216.34', 8123] },
    { what: 'IPv6', argv: ['http://[2606:2800::5]:81/x'], asked: ['2606:2800::5', 81] },
  ])('answers $what and knows what was asked for', async ({ argv, asked }) => {
    const { stdout, code } = await curl(...argv);
    expect({ code, body: JSON.parse(stdout) }).toEqual({ code: 0, body: { ok: true, status: 'success', data: [] } });
    await lab.until(
      (event) => event.kind === 'http-request' && event.asked.address === asked[0] && event.asked.port === asked[1],
    );
  });

  it.each([
    { version: '--http1.1', expected: '1.1', port: 443 },
    { version: '--http2', expected: '2', port: 443 },
    { version: '--http2', expected: '2', port: 9443 },
  ])('keeps the clear text of what is posted with $version to port $port', async ({ version, expected, port }) => {
    const secret = `secret-${expected}-${port}`;
    const result = await curl(
      ...[version, ...at('drop.example', port), '-w', ' %{http_version}', '-d', secret],
      ...['-H', 'X-Mark: yes', `https://drop.example:${port}/in`],
    );
    expect(result).toMatchObject({ code: 0, stdout: `{"ok":true,"status":"success","id":1} ${expected}` });
    const request = await lab.until((event) => event.kind === 'http-request' && bytesOf(event).includes(secret));
    expect(request).toMatchObject({
      isInsideTls: true,
      asked: { address: '203.0.113.9', port },
      fields: { method: 'POST', host: 'drop.example', path: '/in', isWhole: true },
    });
    expect(JSON.stringify(request.fields.headers).toLowerCase()).toContain('["x-mark","yes"]');
    const hello = lab.of('tls-hello').find(({ connection }) => connection === request.connection);
    expect(hello?.fields).toMatchObject({ serverName: 'drop.example', isReadable: true });
  });

  it('maps an address back to the name that it was made up for', async () => {
    const { stdout, stderr } = await lookUp(`
      const [address] = await resolver.resolve4('mapped.example');
      return (await (await fetch('http://' + address + ':8080/p', { headers: { accept: 'text/html' } })).text());`);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toContain('It works.');
    const request = await lab.until((event) => event.kind === 'http-request' && event.asked.name === 'mapped.example');
    expect(request.asked.port).toBe(8080);
  });

  it('is trusted by node and python with the environment that the trust files go with', async () => {
    const node = await lab.node(`
import { request } from 'node:https';
request({ host: '203.0.113.20', servername: 'trusted.example', headers: { host: 'trusted.example' } }, (response) => {
  console.log(response.statusCode, response.socket.authorized); response.resume();
}).end();`);
    expect(node).toMatchObject({ stdout: '200 true\n', stderr: '' });
    const python = await lab.inBox([
      '/usr/bin/python3',
      '-c',
      `
import socket, ssl
s = ssl.create_default_context().wrap_socket(socket.create_connection(('203.0.113.21', 443)), server_hostname='python.example')
s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n'); print(s.recv(12), s.version())
`,
    ]);
    expect(python).toMatchObject({ stdout: "b'HTTP/1.1 200' TLSv1.3\n", stderr: '' });
  });

  it('has a certificate for an address without a name, and tells when it is not trusted', async () => {
    expect(await curl('https://203.0.113.30/')).toMatchObject({ code: 0 });
    const pinned = await curl(
      '--pinnedpubkey',
      'sha256//AAAA',
      ...at('pinned.example', 443),
      'https://pinned.example/',
    );
    expect(pinned.code).toBe(90);
    const distrusted = await curl('--cacert', '/etc/hostname', ...at('wary.example', 443), 'https://wary.example/');
    expect(distrusted.code).not.toBe(0);
    await lab.until(({ kind, fields }) => kind === 'tls-hello' && fields.serverName === 'pinned.example');
  });

  it('records why a handshake failed', async () => {
    const trustNobody = ['-verify_return_error', '-no-CAfile', '-no-CApath', '-no-CAstore'];
    const host = ['-connect', '203.0.113.31:443', '-servername', 'refuse.example'];
    const { code } = await lab.inBox(['env', '-u', 'SSL_CERT_FILE', 'openssl', 's_client', ...host, ...trustNobody]);
    expect(code).not.toBe(0);
    const failure = await lab.until(
      ({ kind, fields }) => kind === 'tls-failure' && fields.serverName === 'refuse.example',
    );
    expect(failure.fields.reason).toMatch(/unknown ca/i);
  });

  it('keeps only so much of a body, and says how much it dropped', async () => {
    const { code } = await lab.inBox(
      ['curl', '-sS', '-m', '15', '--data-binary', '@-', 'http://203.0.113.40/large'],
      'x'.repeat(100_000),
    );
    expect(code).toBe(0);
    const request = await lab.until((event) => event.kind === 'http-request' && event.fields.path === '/large');
    expect(bytesOf(request).length).toBe(4096);
    expect(request.bytes?.droppedBytes).toBe(100_000 - 4096);
  });

  it('goes with a tunnel through a proxy, and with DNS inside HTTPS', async () => {
    const tunnel = await curl('--proxy', 'http://203.0.113.50:3128', '-d', 'through', 'https://inside.example/t');
    expect(tunnel).toMatchObject({ code: 0 });
    const request = await lab.until((event) => event.kind === 'http-request' && event.fields.path === '/t');
    expect(request).toMatchObject({ isInsideTls: true, asked: { name: 'inside.example', port: 443 } });
    const doh = await curl(
      ...at('doh.example', 443),
      '-o',
      '/dev/null',
      '-w',
      '%{content_type}',
      'https://doh.example/dns-query?dns=q80BAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB',
    );
    expect(doh.stdout).toBe('application/dns-message');
    await lab.until(({ kind, fields }) => kind === 'dns-query' && fields.over === 'https');
  });
});

describe('everything else', () => {
  const speak = (address: string, port: number, script: string) =>
    lab.inBox([
      'python3',
      '-c',
      `import socket, ssl\ns = socket.create_connection(('${address}', ${port}), 5)\n${script}`,
    ]);

  it('takes mail', async () => {
    const { stdout } = await speak(
      '203.0.113.60',
      25,
      `
f = s.makefile('rwb')
def say(line):
    f.write(line + b'\\r\\n'); f.flush(); r = f.readline()
    while r[3:4] == b'-': r = f.readline()
    print(r[:3].decode())
print(f.readline()[:3].decode())
for line in [b'EHLO me', b'AUTH PLAIN AGEAYg==', b'MAIL FROM:<a@b>', b'RCPT TO:<c@d>', b'DATA', b'Subject: x\\r\\n\\r\\nthe loot\\r\\n..dot\\r\\n.', b'QUIT']: say(line)
`,
    );
    expect(stdout.trim().split('\n')).toEqual(['220', '250', '235', '250', '250', '354', '250', '221']);
    const message = await lab.until(({ kind, fields }) => kind === 'smtp' && fields.step === 'message');
    expect(bytesOf(message).toString()).toBe('Subject: x\r\n\r\nthe loot\r\n.dot\r\n');
    expect(message.fields).toMatchObject({ from: 'FROM:<a@b>', to: ['TO:<c@d>'] });
  });

  it('keeps the bytes of an unknown protocol, in the clear and inside TLS', async () => {
    await speak('203.0.113.61', 4444, `s.sendall(b'\\x00\\x01raw shell'); s.shutdown(socket.SHUT_WR); s.recv(10)`);
    const raw = await lab.until((event) => event.kind === 'raw-bytes' && event.asked.port === 4444);
    expect(bytesOf(raw).toString('latin1')).toBe('\0\x01raw shell');
    await speak(
      '203.0.113.62',
      31337,
      `t = ssl._create_unverified_context().wrap_socket(s, server_hostname='c2.example'); t.sendall(b'beacon!'); t.close()`,
    );
    const inside = await lab.until((event) => event.kind === 'raw-bytes' && event.asked.port === 31337);
    expect({ text: bytesOf(inside).toString(), isInsideTls: inside.isInsideTls }).toEqual({
      text: 'beacon!',
      isInsideTls: true,
    });
  });

  it('greets where a greeting is expected, and sees a port that is only knocked at', async () => {
    expect((await speak('203.0.113.63', 22, 'print(s.recv(7).decode())')).stdout).toBe('SSH-2.0\n');
    await speak('203.0.113.64', 6379, 's.close()');
    await lab.until((event) => event.kind === 'connection-close' && event.asked.port === 6379);
  });

  it('keeps datagrams to any port', async () => {
    await lab.inBox([
      'python3',
      '-c',
      `import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b'ping me', ('203.0.113.65', 5005))\ns.sendto(b'and me', ('203.0.113.66', 5006))`,
    ]);
    const first = await lab.until((event) => event.transport === 'udp' && event.asked.port === 5005);
    const second = await lab.until((event) => event.transport === 'udp' && event.asked.port === 5006);
    expect([bytesOf(first).toString(), bytesOf(second).toString()]).toEqual(['ping me', 'and me']);
    expect([first.asked.address, second.asked.address]).toEqual(['203.0.113.65', '203.0.113.66']);
  });

  it('is there for openssl on any port, whatever protocol it offers', async (context) => {
    await needTool(context, 'openssl');
    const { stdout } = await lab.inBox(
      [
        'openssl',
        's_client',
        '-connect',
        '203.0.113.67:5671',
        '-servername',
        'queue.example',
        '-alpn',
        'amqp',
        '-CAfile',
        `${lab.folder}/authority.pem`,
      ],
      '',
    );
    expect(stdout).toContain('Verification: OK');
    expect(stdout).toContain('ALPN protocol: amqp');
  });
});

describe('the record', () => {
  it('counts without gaps, in order of time, and says that it is complete', async () => {
    const [end] = await lab.closeNetwork();
    expect(end).toMatchObject({ isComplete: true, missing: 0, diedAtMs: null, received: lab.events.length });
    expect(lab.events.map(({ sequence }) => sequence)).toEqual(lab.events.map((_, at) => at + 1));
    const times = lab.events.map(({ at: { monotonicNs } }) => BigInt(monotonicNs));
    expect(times).toEqual(times.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  });
});
