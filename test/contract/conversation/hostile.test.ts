import { afterAll, describe, expect, it } from 'vitest';
import { mebibyte } from '../../../src/base/limits.ts';
import { openStdioConversation } from '../../../src/targets/conversation/index.ts';
import { Arena } from '../box/arena.ts';
import { visit } from './visit.ts';

/** Real processes that are a nuisance, in a box: the call has an outcome, and what they said is counted and not kept. */

const kinds = [
  { kind: 'huge', outcome: 'invalid' },
  { kind: 'flood', outcome: 'invalid' },
  { kind: 'deaf', outcome: 'timeout' },
  { kind: 'half', outcome: 'timeout' },
  { kind: 'crash', outcome: 'gone' },
  { kind: 'mute', outcome: 'gone' },
  { kind: 'asks', outcome: 'answered' },
];

describe('a nuisance in a box', () => {
  const arena = new Arena();
  afterAll(() => arena.close());

  it.for(kinds)('that is $kind', async ({ kind, outcome }, context) => {
    await arena.need('bwrap', context);
    await using visited = await visit(arena, 'bwrap', 'none', 'hostile', [kind]);
    const { cell, child } = visited;
    const isLoud = kind === 'huge' || kind === 'flood';
    await using conversation = openStdioConversation(
      { stdin: child.stdin, stdout: child.stdout, tap: cell.tap(), exited: child.exited },
      { identity: { name: 'c', version: '1' }, timeoutMs: isLoud ? 40_000 : 3000, limits: { turnFrames: 50_000 } },
    );
    await conversation.handshake();
    const before = process.memoryUsage().arrayBuffers;
    const result = await conversation.call('tool', {});
    expect(result.outcome).toBe(outcome);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(96 * mebibyte);
    if (kind === 'huge') expect(result.text.droppedBytes).toBeGreaterThan(199 * mebibyte);
    if (kind === 'flood') expect(conversation.counts.floods).toBe(1);
    if (kind === 'asks') expect(conversation.counts).toMatchObject({ requests: 20_000 });
    if (kind === 'asks') expect(conversation.counts.unanswered).toBeGreaterThanOrEqual(19_000);
    // A request that the server will not read is one more outcome, and no exception.
    await conversation.call('tool', { text: 'x'.repeat(2 * mebibyte) }, 500);
  });
});
