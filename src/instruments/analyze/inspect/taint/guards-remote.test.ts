import { describe, expect, it } from 'vitest';
import { inspectSample, sampleTool, told } from './sample-tree.ts';

interface Case {
  readonly body: string;
  readonly before?: string;
  readonly schema?: string;
  readonly expected: readonly string[];
}

const addresses: Readonly<Record<string, Case>> = {
  'any address': { body: 'return fetch(x);', expected: ['high ssrf'] },
  'a fixed host': { body: 'return fetch(`https://api.example.com/v1/${x}`);', expected: [] },
  'a configured host': {
    before: "const base = process.env.BASE_URL ?? 'https://example.com';",
    body: 'return fetch(`${base}/v1/${x}`);',
    expected: [],
  },
  'the host is put together': { body: 'return fetch(`https://${x}/status`);', expected: ['high ssrf'] },
  'the host has no end': {
    body: "const base = 'https://api.example.com'; return fetch(base + x);",
    expected: ['high ssrf'],
  },
  'the host ends in another piece': {
    body: "const base = 'https://api.example.com'; const rest = `/v1/${x}`; return fetch(base + rest);",
    expected: [],
  },
  'the host of a tenant': {
    schema: 'z.string().regex(/^[a-z0-9-]+$/)',
    body: 'return fetch(`https://${x}.example.com/`);',
    expected: [],
  },
  'an allowed host': {
    before: "const hosts = ['example.com'];",
    body: "const url = new URL(x); if (!hosts.includes(url.hostname)) throw new Error('no'); return fetch(url);",
    expected: [],
  },
  'a domain': {
    body: "const url = new URL(x); if (!url.hostname.endsWith('.example.com')) throw new Error('no'); return fetch(url);",
    expected: [],
  },
  'only the scheme is checked': {
    body: "const url = new URL(x); if (url.protocol !== 'https:') throw new Error('no'); return fetch(url);",
    expected: ['high ssrf'],
  },
  'local addresses of both families': {
    before:
      "function isLocal(host) { const plain = host.replace(/^\\[|\\]$/g, ''); if (net.isIP(plain) === 4) return plain.startsWith('127.') || plain.startsWith('10.'); if (net.isIP(plain) === 6) return plain === '::1' || plain.startsWith('fc'); return plain === 'localhost'; }",
    body: "const url = new URL(x); if (isLocal(url.hostname)) throw new Error('no'); return fetch(url);",
    expected: ['low ssrf'],
  },
  'brackets hide IPv6': {
    before:
      "function isLocal(host) { if (net.isIP(host) === 4) return host.startsWith('127.'); if (net.isIP(host) === 6) return host === '::1'; return false; }",
    body: "const url = new URL(x); if (isLocal(url.hostname)) throw new Error('no'); return fetch(url);",
    expected: ['high ssrf'],
  },
  'every IPv6 address is refused, but none is seen': {
    before:
      "function isLocal(host) { if (net.isIP(host) === 4) return host.startsWith('127.'); if (net.isIP(host) === 6) return true; return false; }",
    body: "const url = new URL(x); if (isLocal(url.hostname)) throw new Error('no'); return fetch(url);",
    expected: ['high ssrf'],
  },
  'brackets are taken off where there are any': {
    before:
      "function isLocal(host) { const plain = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host; if (net.isIP(plain) === 4) return plain.startsWith('127.'); if (net.isIP(plain) === 6) return plain === '::1'; return false; }",
    body: "const url = new URL(x); if (isLocal(url.hostname)) throw new Error('no'); return fetch(url);",
    expected: ['low ssrf'],
  },
  'encoded into a path': { body: 'return fetch(`https://example.com/${encodeURIComponent(x)}`);', expected: [] },
};

const statements: Readonly<Record<string, Case>> = {
  'put into the text': {
    before: "import pg from 'pg'; const pool = new pg.Pool();",
    body: "return pool.query(`SELECT * FROM t WHERE name = '${x}'`);",
    expected: ['high sql-injection'],
  },
  'a parameter': {
    before: "import pg from 'pg'; const pool = new pg.Pool();",
    body: "return pool.query('SELECT * FROM t WHERE name = $1', [x]);",
    expected: [],
  },
  'the whole statement': {
    before: "import pg from 'pg'; const pool = new pg.Pool();",
    body: 'const client = await pool.connect(); await client.query("BEGIN READ ONLY"); return client.query(x);',
    expected: ['medium sql-statement'],
  },
  'a database nobody knows': {
    before: 'const db = open();',
    body: 'return db.execute("DELETE FROM t WHERE id = " + x);',
    expected: ['high sql-injection'],
  },
  'a table of a fixed set': {
    before: "import pg from 'pg'; const pool = new pg.Pool();",
    body: "if (!['a', 'b'].includes(x)) throw new Error('no'); return pool.query(`SELECT * FROM ${x}`);",
    expected: [],
  },
  'an identifier': {
    before: "import Database from 'better-sqlite3'; const db = new Database('x');",
    body: "if (!/^[a-z_]+$/.test(x)) throw new Error('no'); return db.prepare(`SELECT * FROM ${x}`).all();",
    expected: [],
  },
};

describe.each([
  ['addresses', addresses],
  ['statements', statements],
])('guards of %s', (_kind, cases) => {
  it.each(Object.entries(cases))('%s', async (_name, { body, before, schema, expected }) => {
    const result = await inspectSample(sampleTool(body, before, schema));
    expect(result.handlers).toHaveLength(1);
    expect(told(result)).toEqual(expected);
  });
});
