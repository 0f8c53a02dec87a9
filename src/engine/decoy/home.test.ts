import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { makeHome } from './home.ts';
import { decoyKinds } from './kinds/index.ts';
import { plantDecoys } from './plant.ts';
import { proveLeak } from './recognise/hit.ts';
import { createRecogniser } from './recognise/recogniser.ts';

const now = new Date('2026-01-02T03:04:05Z');
const home = makeHome({ seed: 'home', now });
const recogniser = createRecogniser(home.canaries);
const folder = mkdtempSync(join(tmpdir(), 'hotcell-decoy-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function contentOf(path: string): Buffer {
  const file = home.files.find((each) => each.path === path);
  if (file === undefined) throw new RangeError(`no ${path}`);
  return Buffer.from(file.content);
}

function write(path: string): string {
  const written = join(folder, path.replaceAll('/', '_'));
  writeFileSync(written, contentOf(path), { mode: 0o600 });
  return written;
}

describe('a home', () => {
  it('is the same for the same seed and time, and another for another seed', () => {
    expect(makeHome({ seed: 'home', now })).toEqual(home);
    const tokens = new Set(home.canaries.map(({ token }) => token));
    expect(makeHome({ seed: 'other', now }).canaries.some(({ token }) => tokens.has(token))).toBe(false);
    expect(makeHome().canaries[0]?.token).not.toBe(makeHome().canaries[0]?.token);
  });

  it.each([
    '.ssh/id_ed25519',
    '.ssh/id_ed25519.pub',
    '.ssh/config',
    '.ssh/known_hosts',
    '.aws/credentials',
    '.aws/config',
    '.env',
    '.npmrc',
    '.pypirc',
    '.netrc',
    '.git-credentials',
    '.gitconfig',
    '.kube/config',
    '.docker/config.json',
    '.config/gcloud/application_default_credentials.json',
    '.azure/service_principal_entries.json',
    '.config/gh/hosts.yml',
    '.bash_history',
    '.config/google-chrome/Default/Login Data',
    '.config/google-chrome/Default/Cookies',
    '.config/solana/id.json',
    '.config/Bitwarden CLI/data.json',
    '.claude.json',
    '.cursor/mcp.json',
    '.config/Code/User/mcp.json',
    'projects/billing-api/.env',
  ])('has %s', (path) => {
    expect(contentOf(path).length).toBeGreaterThan(60);
  });

  it('has every path, every canary and every kind once', () => {
    for (const list of [
      home.files.map(({ path }) => path),
      home.canaries.map(({ id }) => id),
      home.canaries.map(({ token }) => token),
      decoyKinds.map(({ id }) => id),
    ])
      expect(new Set(list).size).toBe(list.length);
  });

  it('keeps to relative paths and hides secrets from others', () => {
    for (const { path, mode, canaries } of home.files) {
      expect(path).not.toMatch(/^\/|\.\.|\/\//);
      if (canaries.length > 0 && !path.startsWith('projects/')) expect(mode & 0o077).toBe(0);
    }
  });

  it.each(home.files.filter(({ canaries }) => canaries.length > 0).map((file) => [file.path, file] as const))(
    'gives itself away with all it holds: %s',
    (path, file) => {
      const hits = [...recogniser.feed(path, file.content), ...recogniser.end(path)];
      expect(new Set(hits.map(({ canary }) => canary.id))).toEqual(new Set(file.canaries.map(({ id }) => id)));
      for (const { canary } of hits) expect(canary.planted).toBe(`file ${path}`);
    },
  );

  it.each(home.variables)('gives itself away in the environment: $name', ({ name, value, canaries }) => {
    const hits = recogniser.feed(name, Buffer.from(value));
    expect(hits.map(({ canary }) => canary.id)).toEqual(canaries.map(({ id }) => id));
  });

  it('can be tarred, compressed and encoded, and is still known', () => {
    const archive = join(folder, 'home.tar.gz');
    const path = write('.ssh/id_ed25519');
    execFileSync('tar', ['-czf', archive, '-C', folder, path.slice(folder.length + 1)]);
    const base64 = execFileSync('base64', [archive]);
    const hits = [...recogniser.feed('tar', base64), ...recogniser.end('tar')];
    expect(hits.map((hit) => proveLeak(hit))).toMatchObject([
      { vendor: 'ssh-key', encodings: ['base64', 'gzip'], planted: 'file .ssh/id_ed25519' },
    ]);
    expect(proveLeak(hits[0] as (typeof hits)[0]).summary).toMatch(
      /^ssh-key-\w+, planted as file .* left base64 of gzip at byte 0$/,
    );
  });
});

describe('files that programs open', () => {
  it.skipIf(!existsSync('/usr/bin/ssh-keygen'))('ssh-keygen accepts the key and knows its public half', () => {
    const shown = execFileSync('ssh-keygen', ['-y', '-f', write('.ssh/id_ed25519')])
      .toString()
      .trim();
    expect(contentOf('.ssh/id_ed25519.pub').toString().trim()).toBe(shown);
    const found = execFileSync('ssh-keygen', ['-F', 'github.com', '-f', write('.ssh/known_hosts')]).toString();
    expect(found).toContain('found: line 1');
  });

  it('the login and cookie databases hold the canaries', () => {
    const logins = new DatabaseSync(write('.config/google-chrome/Default/Login Data'));
    const rows = logins.prepare('SELECT CAST(password_value AS TEXT) AS secret FROM logins').all();
    expect(rows.map(({ secret }) => secret)).toEqual(
      home.canaries.filter(({ vendor }) => vendor === 'password').map(({ token }) => token),
    );
    expect(logins.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    logins.close();
    const cookies = new DatabaseSync(write('.config/google-chrome/Default/Cookies'));
    const last = cookies.prepare('SELECT last_access_utc / 1000000 - 11644473600 AS seconds FROM cookies').all();
    for (const { seconds } of last)
      expect(new Date(Number(seconds) * 1000).toISOString()).toBe('2026-01-01T03:04:05.000Z');
    cookies.close();
  });

  it.each(home.files.filter(({ path }) => /json$|Local State|keystore/.test(path)).map(({ path }) => path))(
    'is JSON: %s',
    (path) => {
      expect(() => JSON.parse(contentOf(path).toString())).not.toThrow();
    },
  );
});

describe('planting', () => {
  it('puts every file into the home of the box, with its mode', async () => {
    const put: { path: string; mode: number | undefined; size: number }[] = [];
    const paths = await plantDecoys(
      {
        folders: { home: '/home/user', work: '/work', tmp: '/tmp' },
        putAll: async (files) => {
          for await (const { path, content, mode } of files) put.push({ path, mode, size: content.length });
        },
      },
      home,
    );
    expect(paths).toEqual(put.map(({ path }) => path));
    expect(put).toContainEqual({
      path: '/home/user/.ssh/id_ed25519',
      mode: 0o600,
      size: contentOf('.ssh/id_ed25519').length,
    });
    expect(put).toHaveLength(home.files.length);
  });
});
