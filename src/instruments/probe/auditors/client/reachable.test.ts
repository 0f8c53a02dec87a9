import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reachableFirst } from './reachable.ts';
import { sampleInput } from './sample-input.ts';

describe('a name with several addresses', () => {
  let server: Server;
  let url = '';
  beforeAll(async () => {
    // Only there, so that other loopback addresses refuse.
    server = createServer((socket) => socket.end()).listen(0, '127.0.0.3');
    await new Promise((resolve) => server.once('listening', resolve));
    const at = server.address();
    url = `http://api.example.test:${typeof at === 'object' ? at?.port : 0}/`;
  });
  afterAll(() => void server.close());

  it.each<[readonly string[], string | undefined, RegExp | null]>([
    [['127.0.0.3'], '127.0.0.3', null],
    [['127.0.0.2'], '127.0.0.2', null],
    [
      ['127.0.0.3', '127.0.0.2'],
      '127.0.0.3',
      /^api\.example\.test has 2 addresses, and only 127\.0\.0\.3 was looked at$/,
    ],
    [['127.0.0.2', '127.0.0.4', '127.0.0.3'], '127.0.0.3', /looked at; no connection to 127\.0\.0\.2, 127\.0\.0\.4$/],
    [['127.0.0.2', '127.0.0.4'], '127.0.0.2', /has 2 addresses; no connection to 127\.0\.0\.2, 127\.0\.0\.4$/],
  ])('%j is looked at by %s', async (addresses, first, words) => {
    const found = await reachableFirst(sampleInput(url, { addresses }));
    expect(found.input.addresses[0]).toBe(first);
    expect([...found.input.addresses].sort()).toEqual([...addresses].sort());
    if (words === null) expect(found.note).toBeNull();
    else expect(found.note).toMatch(words);
  });
});
