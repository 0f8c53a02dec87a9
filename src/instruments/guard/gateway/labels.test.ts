import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinName, joinUri, makeLabels, splitName, splitUri } from './labels.ts';
import { readGatewayConfig } from './read-config.ts';

describe('labels', () => {
  it('are plain, different and lead back to their server', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('a', 'A', 'a_', '__', 'a b', 'ä', 'a-2')), { maxLength: 8 }),
        fc.string(),
        (names, own) => {
          const labels = makeLabels(names);
          expect(new Set(labels.map((label) => label.toLowerCase())).size).toBe(names.length);
          for (const label of labels) {
            expect(label).toMatch(/^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$/);
            expect(splitName(joinName(label, own))).toEqual({ label, own });
            expect(splitUri(joinUri(label, own))).toEqual({ label, own });
            expect(URL.canParse(joinUri(label, 'file:///x'))).toBe(true);
          }
        },
      ),
    );
  });

  it.each(['', 'x', '__x', 'file:///x', 'hotcell:'])('nothing is taken for a labelled name: %s', (text) => {
    expect([splitName(text), splitUri(text)]).toEqual([null, null]);
  });
});

describe('a file of servers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hotcell-gateway-'));
  const write = (text: string): string => {
    const path = join(folder, 'mcp.json');
    writeFileSync(path, text);
    return path;
  };

  it('gives commands, and says why others are not taken', async () => {
    const path = write(`{ "mcpServers": {
      "a": { "command": "npx", "args": ["-y", "x"], "env": { "K": "v" }, "cwd": "/tmp" },
      "far": { "url": "https://example.com" }, "off": { "command": "x", "disabled": true }, // so
      "none": {} } }`);
    expect(await readGatewayConfig(path)).toEqual({
      entries: [{ name: 'a', command: 'npx', args: ['-y', 'x'], cwd: '/tmp', environment: { K: 'v' } }],
      refused: [
        { name: 'far', why: expect.stringContaining('URL') },
        { name: 'off', why: expect.stringContaining('disabled') },
      ],
      problems: [expect.stringContaining('neither a command nor a URL')],
    });
  });

  it.each(['{', '{}', '{"mcpServers":{"far":{"url":"https://example.com"}}}', ''])(
    'without a server to start is refused: %s',
    async (text) => {
      await expect(readGatewayConfig(write(text))).rejects.toThrow('no server that could be started');
    },
  );

  it('that is not there is refused', async () => {
    await expect(readGatewayConfig(join(folder, 'nowhere.json'))).rejects.toThrow('no server');
    rmSync(folder, { recursive: true });
  });
});
