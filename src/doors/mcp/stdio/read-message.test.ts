import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMessage } from './read-message.ts';

describe('readMessage', () => {
  it.each([
    ['no JSON', { text: '{"a":' }, -32700, null],
    ['no message', { text: '{"a":1}' }, -32600, null],
    ['no message, with an id', { text: '{"id":7,"method":3}' }, -32600, 7],
    ['a batch', { text: '[{"jsonrpc":"2.0","id":1,"method":"ping"}]' }, -32600, null],
    ['an id that is none', { text: '{"id":{},"method":"a"}' }, -32600, null],
    ['a line without end', { tooLongBytes: 9 }, -32600, null],
  ])('refuses %s', (_, line, code, id) => {
    expect(readMessage(line)).toMatchObject({ refused: { code }, answer: { jsonrpc: '2.0', id, error: { code } } });
  });

  it('reads a message, and skips an empty line', () => {
    const message = { jsonrpc: '2.0', id: 'a', method: 'ping' };
    expect(readMessage({ text: JSON.stringify(message) })).toEqual({ message });
    expect(readMessage({ text: '  ' })).toBeNull();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readMessage({ text })));
  });
});
