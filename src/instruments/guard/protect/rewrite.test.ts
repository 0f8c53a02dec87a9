import { describe, expect, it } from 'vitest';
import type { ConfiguredServer } from '../../../targets/ingest/client-config/contract.ts';
import { parseClientConfig } from '../../../targets/ingest/client-config/read.ts';
import type { WrapOptions } from './contract.ts';
import { unwrapText, wrapText } from './rewrite.ts';
import { disguises, sampleConfigs } from './sample-configs.ts';

const options: WrapOptions = {
  program: '/opt/hot cell/bin/hotcell',
  policy: 'LOW',
  exists: (path) => ['/usr', '/usr/share', '/usr/bin/env', '/'].includes(path),
};
/** Some clients split what stands in the place of the program. */
const originalWords = (server: ConfiguredServer | undefined): readonly (string | undefined)[] => [
  ...(server?.command?.split(' ') ?? []),
  ...(server?.args ?? []),
];
const cases = sampleConfigs.flatMap((sample) => disguises.map((disguise) => ({ ...sample, ...disguise })));

describe('wrapText', () => {
  it.each(cases)('$shape, $title', ({ path, text, apply, wrapped, left }) => {
    const before = apply(text);
    const done = wrapText(path, before, options);
    expect(done).toMatchObject({ is: 'changed' });
    if (done.is !== 'changed') return;
    expect(done.servers.filter(({ change }) => change.is === 'wrapped')).toHaveLength(wrapped);
    expect(done.servers.filter(({ change }) => change.is === 'left')).toHaveLength(left);

    // A second run has nothing to do.
    const again = wrapText(path, done.text, options);
    expect(again).toMatchObject({ is: 'same' });
    expect(again.servers.filter(({ change }) => change.is === 'guarded')).toHaveLength(wrapped);

    // Whoever reads the file sees the guard, and behind it the command that was there.
    const originals = parseClientConfig(path, before).servers.filter(({ command }) => command !== undefined);
    const servers = parseClientConfig(path, done.text).servers.filter(({ command }) => command !== undefined);
    expect(servers.map(({ name }) => name)).toEqual(originals.map(({ name }) => name));
    for (const [index, server] of servers.entries()) {
      const original = originals[index];
      expect(server.command).toBe(options.program);
      expect(server.args.slice(0, 3)).toEqual(['run', '--name', server.name]);
      expect(server.args.slice(server.args.indexOf('--') + 1)).toEqual(originalWords(original));
      expect([...server.environment].map(([name, value]) => [name, value.reveal()])).toEqual(
        [...(original?.environment ?? [])].map(([name, value]) => [name, value.reveal()]),
      );
      for (const name of original?.environment.keys() ?? []) expect(server.args.join(' ')).toContain(`--env ${name}`);
    }

    // From the words alone the old commands come back; and what was not touched is there as it was typed.
    const back = unwrapText(path, done.text);
    expect(back).toMatchObject({ is: 'changed' });
    if (back.is !== 'changed') return;
    const undone = parseClientConfig(path, back.text).servers;
    expect(undone.map(originalWords)).toEqual(parseClientConfig(path, before).servers.map(originalWords));
    expect(back.text.startsWith('\ufeff')).toBe(before.startsWith('\ufeff'));
    if (before.includes('\r\n')) expect(done.text.replaceAll('\r\n', '')).not.toContain('\n');
    else expect(done.text).not.toContain('\r');
  });

  it('changes nothing but the command and the front of its arguments', () => {
    const text = `{
  "mcpServers": {
    "a": {
      "args": [
        "-y", // yes
        "pkg"
      ],
      "command": "npx" /* here */,
    }
  }
}`;
    const done = wrapText('mcp.json', text, { program: '/bin/hotcell', exists: () => false });
    expect(done.is === 'changed' && done.text).toBe(`{
  "mcpServers": {
    "a": {
      "args": [
        "run",
        "--name",
        "a",
        "--",
        "npx",
        "-y", // yes
        "pkg"
      ],
      "command": "/bin/hotcell" /* here */,
    }
  }
}`);
  });

  it('opens paths that the arguments name, to be written only where that was asked for', () => {
    const text = '{"mcpServers":{"f":{"command":"fs","args":["/usr/share","--db=/usr/bin/env","/","/nowhere","rel"]}}}';
    const done = wrapText('mcp.json', text, { ...options, writable: ['/usr/bin'] });
    expect(done.servers[0]).toMatchObject({
      change: { is: 'wrapped', reads: ['/usr/share'], writes: ['/usr/bin/env'] },
      remarks: [expect.stringContaining('/ is not opened')],
    });
  });

  it('takes only the servers that were named', () => {
    const text = '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}';
    const done = wrapText('mcp.json', text, { ...options, servers: ['b'], writable: ['/srv'] });
    expect(
      done.is === 'changed' && parseClientConfig('mcp.json', done.text).servers.map(({ command }) => command),
    ).toEqual(['x', options.program]);
    expect(done.servers[1]).toMatchObject({ change: { writes: ['/srv'] } });
  });

  it.each([
    ['broken JSON', 'mcp.json', '{"mcpServers": {"a": {"command": "x"'],
    ['broken TOML', 'config.toml', '[mcp_servers.a]\ncommand = '],
    ['broken YAML', 'config.yaml', 'mcpServers: [\n'],
    ['two documents', 'config.yaml', 'mcpServers:\n  - command: x\n---\na: 1\n'],
  ])('refuses %s and says why', (_, path, text) => {
    expect(wrapText(path, text, options)).toMatchObject({ is: 'refused', why: expect.stringMatching(/\w/) });
  });

  it.each([
    ['a command that is there twice', 'mcp.json', '{"mcpServers":{"a":{"command":"x","command":"y"}}}', 'twice'],
    ['a server that is there twice', 'mcp.json', '{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}', 'twice'],
    ['arguments in one text', 'mcp.json', '{"mcpServers":{"a":{"command":"x","args":"-y z"}}}', 'no list'],
    ['an alias', 'c.yaml', 'x: &x [a]\nmcpServers:\n  - name: a\n    command: y\n    args: *x\n', 'list'],
    ['an anchor', 'c.yaml', 'mcpServers:\n  - name: a\n    command: &c y\n    args: [*c]\n', 'anchor'],
    ['a merged command', 'c.yaml', 'b: &b {command: y}\nmcpServers:\n  s:\n    <<: *b\n', '.'],
    ['a line for a shell', 'mcp.json', '{"mcpServers":{"a":{"command":"npx x && y"}}}', 'shell'],
    ['Hotcell itself', 'mcp.json', '{"mcpServers":{"a":{"command":"hotcell","args":["mcp"]}}}', 'itself'],
  ])('leaves %s and says why', (_, path, text, why) => {
    const done = wrapText(path, text, options);
    expect(done.is).toBe('same');
    for (const { change } of done.servers) {
      expect(change).toMatchObject({ is: 'left', why: expect.stringMatching(why) });
    }
  });

  it('tells a start through another copy of the guard', () => {
    const text =
      '{"mcpServers":{"a":{"command":"/tmp/hotcell","args":["run","--","x"]},"b":{"command":"npx","args":["hotcell","run","--","x"]}}}';
    const done = wrapText('mcp.json', text, options);
    expect(done).toMatchObject({
      is: 'same',
      servers: [
        { change: { is: 'guarded' }, remarks: [expect.stringContaining('another copy')] },
        { change: { is: 'guarded' }, remarks: [] },
      ],
    });
    expect(unwrapText('mcp.json', text)).toMatchObject({ is: 'same' });
  });
});
