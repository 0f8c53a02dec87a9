import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forTerminal } from '../../../src/base/untrusted.ts';
import { Cell } from '../../../src/engine/cell/index.ts';
import { Ledger, readEntries } from '../../../src/engine/ledger/index.ts';
import { namespaceNames } from '../../../src/engine/net/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { Store } from '../../../src/engine/store/index.ts';
import { issueCanary, openCanaryWatch } from '../../../src/instruments/guard/canaries/index.ts';
import { openHttpBridge, openHttpFront, openInnerServer } from '../../../src/instruments/guard/http/index.ts';
import { createMessageRules } from '../../../src/instruments/guard/rules/index.ts';
import { type GateOptions, MessageGate, MessageRelay } from '../../../src/instruments/guard/stream/index.ts';
import { openToolPins } from '../../../src/instruments/guard/tool-pins/index.ts';
import { openStdioConversation } from '../../../src/targets/conversation/index.ts';
import { Arena } from '../box/arena.ts';

/** A server that listens in a box and asks nobody who he is, with the guard before it. */

const samples = fileURLToPath(new URL('../../samples/servers/', import.meta.url));
const port = 8931;
const backend = 'bwrap';

describe('a server that speaks HTTP in a box', () => {
  const arena = new Arena();
  beforeAll(() => arena.open(backend));
  afterAll(() => arena.close());

  it('is guarded for clients that speak HTTP, and for those that speak over stdio', async (context) => {
    await arena.need(backend, context);
    if (process.getuid?.() !== 0) context.skip('only root can enter the network of a box');
    await using undo = new AsyncDisposableStack();
    const home = mkdtempSync('/tmp/hotcell-front-');
    undo.defer(() => rmSync(home, { recursive: true, force: true }));

    const policy = { ...tierPolicy('HIGH'), network: { mode: 'fake' as const, rules: [] } };
    const cell = undo.use(
      await Cell.open(policy, { backend, ...arena.options, folder: join(home, 'run'), decoys: null }),
    );
    const { work } = cell.box.folders;
    for (const file of ['http-no-origin-check/server.js', 'http-no-origin-check/package.json', 'lib/mcp-loop.js']) {
      await cell.box.put(`${work}/${file.split('/').at(-1)}`, readFileSync(join(samples, file)), 0o644);
    }
    const network = `/run/netns/${namespaceNames(cell.runId).box}`;
    // Nobody listens yet, and that is said in time.
    const early = openInnerServer({ network, port, timeoutMs: 200 });
    await expect(early).rejects.toThrow(`nobody listens on port ${port}`);
    const child = await cell.spawn(['/usr/bin/node', `${work}/server.js`]);
    child.stdout.resume();
    child.stderr.resume();
    const inner = undo.use(await openInnerServer({ network, port, timeoutMs: 20_000 }));
    const { path } = inner;
    expect(inner).toMatchObject({ path: '/mcp', form: 'streamable' });

    const store = undo.use(Store.open(join(home, 'state.sqlite')));
    const ledger = undo.use(await Ledger.open({ folder: join(home, 'ledger') }));
    const recorder = { ledger, session: 'test' };
    const canaries = openCanaryWatch({ store, server: 'todo', recorder });
    const gateOptions = (): GateOptions => ({
      rules: createMessageRules(),
      recorder,
      context: {
        server: 'todo',
        mode: 'enforce',
        policy: {
          ...policy,
          tools: [
            { tool: 'list_todo', verdict: 'allow' },
            { tool: 'add_todo', verdict: 'ask' },
          ],
        },
        pins: openToolPins({ store, server: 'todo', subject: 'folder:todo', mode: 'enforce' }),
        canaries,
        instructions: 'mark',
      },
    });
    const front = undo.use(
      await openHttpFront({
        listen: { host: '127.0.0.1', port: 0 },
        request: inner.request,
        path,
        openGate: () => new MessageGate(gateOptions()),
      }),
    );

    // The server itself would answer any page; the front does not.
    const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    const headers = { 'content-type': 'application/json', origin: 'https://evil.example' };
    expect((await inner.request({ method: 'POST', path: '/mcp', headers, body: hello })).status).toBe(200);
    expect((await fetch(front.url, { method: 'POST', headers, body: hello })).status).toBe(403);

    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(front.url)));
    undo.defer(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['list_todo', 'add_todo']);
    const listed = await client.callTool({ name: 'list_todo', arguments: {} });
    expect(listed.content).toMatchObject([{ type: 'text', text: 'water the plants' }]);
    // The policy asks about this one, and nobody has said yes.
    await expect(client.callTool({ name: 'add_todo', arguments: { what: 'a' } })).rejects.toThrow(/Hotcell refused/);

    // A token of another server, in disguise.
    const { token, id } = issueCanary({ store, chainId: 'chain', source: 'mail', downstream: ['todo'] });
    const what = Buffer.from(token).toString('base64');
    await expect
      .poll(() => client.callTool({ name: 'list_todo', arguments: { what } }).then(String, String))
      .toMatch(/canaries\/leaving/);
    expect(canaries.listLeaks('chain')).toMatchObject([
      {
        canary: id,
        plantedIn: { server: 'mail' },
        foundIn: { server: 'todo', channel: 'arguments' },
        encoding: 'base64',
      },
    ]);

    // The same server for a client that speaks over stdio: the relay has the rules, the bridge only carries.
    const bridge = undo.use(openHttpBridge(inner));
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const relay = new MessageRelay({ ...gateOptions(), client: { input: stdin, output: stdout }, server: bridge });
    undo.defer(() => relay.close());
    const running = relay.run();
    const conversation = openStdioConversation(
      { stdin, stdout, exited: running },
      { identity: { name: 'cursor', version: '1' }, timeoutMs: 20_000 },
    );
    expect(await conversation.handshake()).toMatchObject({ serverName: 'todo' });
    expect((await conversation.list()).tools.map(({ name }) => name)).toEqual(['list_todo', 'add_todo']);
    expect(forTerminal((await conversation.call('list_todo', {})).text)).toBe('water the plants');
    expect((await conversation.call('add_todo', { what: 'b' })).outcome).toBe('rpc-error');
    await conversation.close();

    await canaries.settled();
    const actions = (await Array.fromAsync(readEntries(join(home, 'ledger')))).map(
      ({ entry }) => `${entry.action} ${entry.verdict}`,
    );
    expect(actions).toContain('canary.leak refused');
    // A token that was planted a moment ago may be unknown to the first call that carries it.
    expect(actions.filter((action) => action === 'tool.call allowed').length).toBeGreaterThanOrEqual(2);
    expect(actions.filter((action) => action === 'tool.call refused').length).toBeGreaterThanOrEqual(3);
  });
});
