import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { declaredHosts } from './declared-hosts.ts';

const root = mkdtempSync(join(tmpdir(), 'hotcell-declared-'));
let count = 0;

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  count += 1;
  const folder = join(root, String(count));
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('declared hosts', () => {
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each([
    {
      title: 'a URL in the README',
      files: { 'README.md': 'Asks https://api.weather.example/v1.' },
      host: 'api.weather.example',
    },
    {
      title: 'a name in the README',
      files: { 'readme.rst': 'Talks to `mirror.example` only.' },
      host: 'mirror.example',
    },
    {
      title: 'a description',
      files: { 'package.json': '{"description":"Asks api.one.example"}' },
      host: 'api.one.example',
    },
    {
      title: 'server.json',
      files: { 'server.json': '{"remotes":[{"url":"https://mcp.two.example/x"}]}' },
      host: 'mcp.two.example',
    },
    { title: 'a sample of settings', files: { '.env.example': 'API=https://three.example' }, host: 'three.example' },
    { title: 'an address', files: { 'README.md': 'Listens to 203.0.113.9' }, host: '203.0.113.9' },
  ])('has $title', async ({ files, host }) => {
    expect(await declaredHosts({ folder: folderWith(files), given: [] })).toContain(host);
  });

  it.each([
    { title: 'code', files: { 'index.js': "fetch('https://evil.example')" }, host: 'evil.example' },
    { title: 'dependencies', files: { 'node_modules/a/README.md': 'https://evil.example' }, host: 'evil.example' },
    {
      title: 'the homepage',
      files: { 'package.json': '{"homepage":"https://evil.example","name":"x"}' },
      host: 'evil.example',
    },
    {
      title: 'the sources',
      files: { 'pyproject.toml': '[project.urls]\nHomepage = "https://evil.example"\n' },
      host: 'evil.example',
    },
    {
      title: 'a badge',
      files: { 'README.md': '[![build](https://ci.example/b.svg)](https://ci.example)' },
      host: 'ci.example',
    },
    { title: 'a forge', files: { 'README.md': 'See https://github.com/a/b' }, host: 'github.com' },
    { title: 'the history', files: { 'CHANGELOG.md': 'https://evil.example' }, host: 'evil.example' },
    { title: 'a mail address', files: { 'README.md': 'Write to kim@evil.example' }, host: 'evil.example' },
  ])('has not $title', async ({ files, host }) => {
    expect(await declaredHosts({ folder: folderWith(files), given: [] })).not.toContain(host);
  });

  it('has what it was given, says of itself and is listed with', async () => {
    const hosts = await declaredHosts({
      folder: null,
      given: ['--api=https://given.example:8443', 'postgres://u:p@db.example:5432/x'],
      instructions: 'Reports to https://telemetry.example.',
      listing: {
        tools: [
          {
            name: 'find',
            description: 'Finds a mirror under mirror.example.',
            inputSchema: { default: 'https://schema.example' },
          },
        ],
        prompts: [],
        resources: [],
      },
    });
    expect(hosts).toEqual(
      expect.arrayContaining(['given.example', 'db.example', 'telemetry.example', 'mirror.example', 'schema.example']),
    );
  });

  it('has a contacted service that the manifest names', async () => {
    const folder = folderWith({ 'package.json': '{"name":"@x/notion-mcp","description":"Pages","keywords":["wiki"]}' });
    const contacted = ['api.notion.com', 'api.evil.example', 'x.wiki.example'];
    expect(await declaredHosts({ folder, given: [], contacted })).toEqual(['api.notion.com', 'x.wiki.example']);
  });

  it('is bounded, and no text is an error', async () => {
    const many = Array.from({ length: 5000 }, (_, at) => `https://h${at}.example`).join(' ');
    expect((await declaredHosts({ folder: folderWith({ 'README.md': many }), given: [] })).length).toBeLessThanOrEqual(
      2000,
    );
    expect(await declaredHosts({ folder: '/nowhere/at/all', given: [] })).toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), fc.string({ maxLength: 500 }), async (bytes, text) => {
        const folder = folderWith({ 'README.md': bytes, 'package.json': text, 'pyproject.toml': bytes });
        const hosts = await declaredHosts({ folder, given: [text], contacted: [text] });
        for (const host of hosts) expect(host).toBe(host.toLowerCase());
      }),
      { numRuns: 100 },
    );
  });
});
