import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forTerminal } from '../../../src/base/untrusted.ts';
import { legacyVersions, modernVersion, openStdioConversation } from '../../../src/targets/conversation/index.ts';
import { Arena } from '../box/arena.ts';
import { visit } from './visit.ts';

/** Tiny servers of every version, in boxes, over their standard input and output. */

const identity = { name: 'claude-desktop', version: '1.0.0' };
const forms = [
  ...[...legacyVersions, modernVersion].map((version) => ({ version, framing: 'lines' })),
  { version: '2024-11-05', framing: 'frames' },
];

const stages = [
  { backend: 'bwrap' as const, forms },
  { backend: 'landlock' as const, forms: forms.slice(0, 1) },
  { backend: 'gvisor' as const, forms: forms.slice(0, 1) },
];

describe.each(stages)('a server in a $backend box', ({ backend, forms }) => {
  const arena = new Arena();
  beforeAll(() => arena.open(backend));
  afterAll(() => arena.close());

  it.for(forms)('that speaks $version in $framing', async ({ version, framing }, context) => {
    await arena.need(backend, context);
    await using visited = await visit(arena, backend, 'none', 'stdio', [version, framing]);
    const { cell, child, leave } = visited;
    await using conversation = openStdioConversation(
      { stdin: child.stdin, stdout: child.stdout, tap: cell.tap(), exited: child.exited },
      { identity, timeoutMs: framing === 'frames' ? 3000 : 20_000 },
    );
    await cell.enter('handshake');
    const handshake = await conversation.handshake();
    expect(handshake).toMatchObject({ protocolVersion: version, serverName: 'tiny', serverVersion: '0.1.0' });
    await cell.enter('list');
    const listing = await conversation.list();
    expect(listing.tools.map(({ name }) => name)).toEqual(['echo', 'where']);
    expect(listing.prompts).toHaveLength(1);
    expect(listing.resources).toEqual([{ uri: 'memo:///a', name: 'a', isTemplate: false }]);
    expect(listing.problems).toEqual([]);
    await cell.enter('use');
    expect(forTerminal((await conversation.call('echo', { text: 'hello' })).text)).toBe('you said hello');
    expect(forTerminal((await conversation.getPrompt('ask', { what: 'this' })).text)).toBe('what is this?');
    expect(forTerminal((await conversation.readResource('memo:///a')).text)).toContain('a memo');
    expect((await conversation.call('exit', {})).outcome).toBe('gone');
    await conversation.close();
    const messages = (await leave()).filter(({ kind }) => kind === 'message');
    const calls = messages.filter(({ fields }) => JSON.stringify(fields).includes('tools/call'));
    expect(calls).toHaveLength(2);
    expect(messages.filter(({ fields }) => fields.direction === 'from-target').length).toBeGreaterThan(6);
    expect(messages.every(({ fields }) => fields.isJson)).toBe(true);
  });
});
