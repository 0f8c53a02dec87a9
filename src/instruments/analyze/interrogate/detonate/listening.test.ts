import { describe, expect, it } from 'vitest';
import { connect, event } from '../trials/sample-observed.ts';
import { boundAddresses, listeningPorts } from './listening.ts';

const bind = (address: unknown, port: unknown, outcome: 'ok' | 'failed' | 'denied' = 'ok') =>
  event(1, 'bind', { family: 'ipv4', address: address as string, port: port as number }, outcome);

describe('where programs listen', () => {
  it('is each address and port once', () => {
    const events = [bind('127.0.0.1', 80), bind('127.0.0.1', 80), bind('::', 80), bind('0.0.0.0', 8080)];
    expect(boundAddresses(events)).toEqual([
      { address: '127.0.0.1', port: 80 },
      { address: '::', port: 80 },
      { address: '0.0.0.0', port: 8080 },
    ]);
    expect(listeningPorts(events)).toEqual([80, 8080]);
  });

  it.each([
    ['a bind that failed', bind('127.0.0.1', 80, 'failed')],
    ['a bind that was denied', bind('127.0.0.1', 80, 'denied')],
    ['a port that the kernel chooses', bind('127.0.0.1', 0)],
    ['a socket of the file system', bind(undefined, undefined)],
    ['fields of another shape', bind({ text: 'x' }, '80')],
    ['a connection', connect(1, '127.0.0.1', 80)],
  ])('is not %s', (_, seen) => {
    expect(boundAddresses([seen])).toEqual([]);
    expect(listeningPorts([seen])).toEqual([]);
  });
});
