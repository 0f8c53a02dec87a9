import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forTerminal } from '../../../src/base/untrusted.ts';
import { namespaceNames } from '../../../src/engine/net/index.ts';
import { discoverEndpoint, openHttpConversation, openRelay } from '../../../src/targets/conversation/index.ts';
import { Arena } from '../box/arena.ts';
import { visit } from './visit.ts';

/** Tiny servers that listen inside a box, reached through the relay. */

const identity = { name: 'cursor', version: '1.0.0' };
const port = 8931;
const forms = [
  { version: '2025-03-26', form: 'streamable', path: '/mcp' },
  { version: '2025-11-25', form: 'events', path: '/mcp' },
  { version: '2026-07-28', form: 'streamable', path: '/mcp' },
  { version: '2024-11-05', form: 'sse', path: '/sse' },
];

const stages = [
  { backend: 'bwrap' as const, forms },
  { backend: 'runc' as const, forms: forms.slice(0, 1) },
  { backend: 'gvisor' as const, forms: [forms[0], forms[3]].filter((form) => form !== undefined) },
];

function relays(): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name) || !existsSync(`/proc/${name}/cmdline`)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(`relay.pl\0${port}`);
    } catch {
      return false;
    }
  });
}

describe.each(stages)('a server that listens in a $backend box', ({ backend, forms }) => {
  const arena = new Arena();
  beforeAll(() => arena.open(backend));
  afterAll(() => arena.close());

  it.for(forms)('speaks $version as $form', async ({ version, form, path }, context) => {
    await arena.need(backend, context);
    if (process.getuid?.() !== 0) context.skip('only root can enter the network of a box');
    await using visited = await visit(arena, backend, 'fake', 'http', [version, form, String(port)]);
    const { cell, child, leave } = visited;
    child.stdout.resume();
    const network = `/run/netns/${namespaceNames(cell.runId).box}`;
    await using relay = openRelay({ network, port });
    const found = await discoverEndpoint({ identity, url: relay.url, request: relay.request, timeoutMs: 20_000 });
    expect(found).toEqual({ path, form: form === 'sse' ? 'sse' : 'streamable', needsAuthorisation: false });
    await using conversation = openHttpConversation(
      { url: new URL(path, relay.url), request: relay.request, tap: cell.tap() },
      { identity, timeoutMs: 20_000 },
    );
    expect(await conversation.handshake()).toMatchObject({ protocolVersion: version, serverName: 'tiny' });
    const listing = await conversation.list();
    expect(listing.tools.map(({ name }) => name)).toEqual(['echo', 'where']);
    expect(listing.problems).toEqual([]);
    const text = 'x'.repeat(200_000);
    const echo = await conversation.call('echo', { text });
    expect(forTerminal(echo.text)).toBe(`you said ${text}`);
    expect((await conversation.call('exit', {}, 5000)).outcome).toBe('gone');
    await conversation.close();
    await relay.close();
    expect(relays()).toEqual([]);
    const messages = (await leave()).filter(({ kind }) => kind === 'message');
    expect(messages.filter(({ fields }) => JSON.stringify(fields).includes('tools/call')).length).toBe(2);
  });
});
