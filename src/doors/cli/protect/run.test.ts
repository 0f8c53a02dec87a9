import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEntries } from '../../../engine/ledger/index.ts';
import { parseClientConfig } from '../../../targets/ingest/client-config/read.ts';
import { runCommandLine } from '../run-command-line.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hotcell-protect-cli-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, content: string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

async function run(words: readonly string[], answer?: string) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const isTTY = answer !== undefined;
  if (isTTY) stdin.write(`${answer}\n`);
  const code = await runCommandLine(['protect', ...words], {
    stdin: Object.assign(stdin, { isTTY }),
    stdout,
    stderr: Object.assign(stderr, { isTTY }),
    readerGone: new AbortController().signal,
    caller: {
      environment: { NO_COLOR: '1', LANG: 'C.UTF-8' },
      folder: join(home, 'work'),
      homeFolder: home,
      userId: 1000,
    },
  });
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}

const cursor = `{
  // mine
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "fs", "/usr/share"], "env": { "KEY": "sk-topsecret-99" } },
    "far": { "url": "https://example.com/mcp" },
  },
}
`;
const codex = '[mcp_servers.docs]\ncommand = "uvx"\nargs = ["docs"]\n';

describe('hotcell protect', () => {
  it('shows, asks, writes, has nothing to do again, and undoes', async () => {
    const [first, second] = [put('.cursor/mcp.json', cursor), put('.codex/config.toml', codex)];
    const broken = put('work/.mcp.json', '{');
    const shown = await run(['--dry-run']);
    expect(shown.code).toBe(3);
    expect(shown.out).toContain(`+++ ${first}`);
    expect(shown.out).toContain('files goes behind the guard (reads /usr/share)');
    expect(shown.out).toContain('far is left as it is: it is reached by URL');
    expect(shown.out).toContain('refused: line 1: not valid JSON');
    expect(shown.out).toContain('2 files would change');
    expect(shown.out).not.toContain('topsecret');
    rmSync(broken);

    expect(await run([])).toMatchObject({ code: 2, err: expect.stringContaining('nobody is there to say yes') });
    expect((await run([], 'n')).out).toContain('nothing was changed');
    expect([readFileSync(first, 'utf8'), readFileSync(second, 'utf8')]).toEqual([cursor, codex]);

    expect(await run(['--mode', 'audit', '--policy', 'MEDIUM'], 'y')).toMatchObject({ code: 0 });
    const [server] = parseClientConfig(first, readFileSync(first, 'utf8')).servers;
    expect(server?.command).toMatch(/^\/.*\/bin\/hotcell$/);
    expect(server?.args).toEqual([
      ...['run', '--name', 'files', '--policy', 'MEDIUM', '--mode', 'audit', '--env', 'KEY', '--read', '/usr/share'],
      ...['--', 'npx', '-y', 'fs', '/usr/share'],
    ]);
    expect(await run(['--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('nothing to do') });

    expect(await run(['--undo', '--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('byte for byte') });
    expect([readFileSync(first, 'utf8'), readFileSync(second, 'utf8')]).toEqual([cursor, codex]);
    expect(await run(['--undo', '--yes'])).toMatchObject({ code: 0, out: 'nothing to do\n' });
    const entries = (await Array.fromAsync(readEntries(join(home, '.hotcell/ledger'), {}))).map(
      ({ entry }) => entry.action,
    );
    expect(entries).toEqual(['config.protect', 'config.protect', 'config.undo', 'config.undo']);
  });

  it('takes one client, one file, one server', async () => {
    put('.cursor/mcp.json', cursor);
    put('.codex/config.toml', codex);
    const paths = async (...words: string[]) => {
      const { out } = await run([...words, '--dry-run', '--json']);
      return (JSON.parse(out) as { files: { path: string; is: string }[] }).files.map(({ path, is }) => [
        path.slice(home.length),
        is,
      ]);
    };
    expect(await paths('--client', 'codex')).toEqual([['/.codex/config.toml', 'changed']]);
    expect(await paths('--client', 'codex,cursor')).toHaveLength(2);
    expect(await paths('--file', '../.cursor/mcp.json')).toEqual([['/.cursor/mcp.json', 'changed']]);
    expect(await paths('--server', 'docs')).toEqual([
      ['/.cursor/mcp.json', 'same'],
      ['/.codex/config.toml', 'changed'],
    ]);
  });

  it('names in JSON what was done, and where the backup is', async () => {
    const file = put('.cursor/mcp.json', cursor);
    const { code, out } = await run(['--yes', '--json', '--allow-write', '/usr/share']);
    const report = JSON.parse(out) as { applied: { path: string; backup: string }[]; files: object[] };
    expect(code).toBe(0);
    expect(report).toMatchObject({
      applied: [{ path: file }],
      failed: [],
      files: [{ client: 'cursor', servers: [{ change: { writes: ['/usr/share'] } }, {}] }],
    });
    expect(readFileSync(report.applied[0]?.backup ?? '', 'utf8')).toBe(cursor);
  });

  it.each([
    [['--client', 'nobody'], 'known are all, claude-desktop'],
    [['--server', 'nobody'], 'there are files, far'],
    [['--mode', 'soft'], 'enforce, audit, learn'],
    [['--force'], '--force is for --undo'],
    [['--undo', '--mode', 'audit'], 'not how to undo'],
    [['--program', '/bin/sh'], 'has to be called hotcell'],
    [['--program', '/nowhere/hotcell'], 'no such file'],
  ])('refuses %j', async (words, why) => {
    const file = put('.cursor/mcp.json', cursor);
    expect(await run([...words, '--yes'])).toMatchObject({ code: 2, err: expect.stringContaining(why) });
    expect(readFileSync(file, 'utf8')).toBe(cursor);
  });
});
