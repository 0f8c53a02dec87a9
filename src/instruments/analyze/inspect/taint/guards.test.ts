import { describe, expect, it } from 'vitest';
import { inspectSample, sampleTool, told } from './sample-tree.ts';

interface Case {
  readonly body: string;
  readonly before?: string;
  readonly schema?: string;
  readonly expected: readonly string[];
}

const root = 'const root = path.resolve(process.argv[2]);';
const isInside =
  "async function safe(p) { const full = path.resolve(root, p); const real = await fs.realpath(full); if (real !== root && !real.startsWith(root + path.sep)) throw new Error('no'); return real; }";

const paths: Readonly<Record<string, Case>> = {
  'no guard at all': { body: 'return fs.readFile(x);', expected: ['medium path-traversal'] },
  'joined below a folder': {
    before: root,
    body: 'return fs.readFile(path.join(root, x));',
    expected: ['high path-traversal'],
  },
  'put after a folder': { body: 'return fs.readFile(`/srv/${x}.txt`);', expected: ['high path-traversal'] },
  'realpath and a separator': {
    before: root,
    body: "const real = await fs.realpath(path.resolve(root, x)); if (!real.startsWith(root + path.sep)) throw new Error('no'); return fs.readFile(real);",
    expected: [],
  },
  'realpath and a separator in a helper that returns the path': {
    before: root + isInside,
    body: 'return fs.readFile(await safe(x));',
    expected: [],
  },
  'a helper that throws': {
    before: `${root}async function check(p) { const real = await fs.realpath(p); if (!real.startsWith(root + '/')) { throw new Error('no'); } }`,
    body: 'await check(x); return fs.readFile(x);',
    expected: [],
  },
  'a helper that answers': {
    before: `${root}function isInside(p) { return p === root || p.startsWith(root + path.sep); }`,
    body: 'const real = await fs.realpath(x); if (!isInside(real)) return { isError: true }; return fs.readFile(real);',
    expected: [],
  },
  'a helper whose answer nobody heeds': {
    before: `${root}function isInside(p) { return p.startsWith(root + path.sep); }`,
    body: 'const real = await fs.realpath(x); isInside(real); return fs.readFile(real);',
    expected: ['medium path-traversal'],
  },
  'a helper that answers with a record': {
    before: `${root}async function check(p) { const real = await fs.realpath(p); if (!real.startsWith(root + path.sep)) return { ok: false }; return { ok: true, real }; }`,
    body: "const checked = await check(x); if (!checked.ok) throw new Error('no'); return fs.readFile(checked.real);",
    expected: [],
  },
  'a flag set in a loop': {
    body: "const real = await fs.realpath(x); let ok = false; for (const dir of process.argv.slice(2)) { if (real.startsWith(dir + path.sep)) { ok = true; break; } } if (!ok) throw new Error('no'); return fs.readFile(real);",
    expected: [],
  },
  'some over several folders': {
    body: "const real = await fs.realpath(x); if (!process.argv.slice(2).some((dir) => real === dir || real.startsWith(dir + path.sep))) throw new Error('no'); return fs.readFile(real);",
    expected: [],
  },
  'path.relative': {
    before: root,
    body: "const real = await fs.realpath(path.join(root, x)); const rel = path.relative(root, real); if (rel.startsWith('..') || path.isAbsolute(rel)) throw new Error('no'); return fs.readFile(real);",
    expected: [],
  },
  'links are not followed before the check': {
    before: root,
    body: "const full = path.resolve(root, x); if (!full.startsWith(root + path.sep)) throw new Error('no'); return fs.readFile(full);",
    expected: ['medium path-symlink'],
  },
  'startsWith without a separator': {
    before: root,
    body: "const real = await fs.realpath(path.resolve(root, x)); if (!real.startsWith(root)) throw new Error('no'); return fs.readFile(real);",
    expected: ['high path-traversal'],
  },
  'startsWith without a separator below the package itself': {
    body: "const base = path.resolve(import.meta.dirname, 'docs'); const full = path.resolve(base, x); if (!full.startsWith(base)) throw new Error('no'); return fs.readFile(full);",
    expected: ['low path-traversal'],
  },
  'startsWith on a path that is not resolved': {
    before: root,
    body: "if (!x.startsWith('/srv/data/')) throw new Error('no'); return fs.readFile(x);",
    expected: ['high path-traversal'],
  },
  'only ".." is refused': {
    body: "if (x.includes('..')) throw new Error('no'); return fs.readFile(x);",
    expected: ['high path-traversal'],
  },
  '".." is refused below a folder': {
    body: "if (x.includes('..')) throw new Error('no'); return fs.readFile(path.join('/srv', x));",
    expected: [],
  },
  'lower case is no guard': {
    before: root,
    body: 'return fs.readFile(path.join(root, x.toLowerCase()));',
    expected: ['high path-traversal'],
  },
  'one replacement is no guard': {
    before: root,
    body: "return fs.readFile(path.join(root, x.replace('../', '')));",
    expected: ['high path-traversal'],
  },
  'the check comes too late': {
    before: root,
    body: "const real = await fs.realpath(x); const text = await fs.readFile(real); if (!real.startsWith(root + path.sep)) throw new Error('no'); return text;",
    expected: ['medium path-traversal'],
  },
  'the check is only on one way': {
    before: root,
    body: "const real = await fs.realpath(x); if (process.argv.length > 3) { if (!real.startsWith(root + path.sep)) throw new Error('no'); } return fs.readFile(real);",
    expected: ['medium path-traversal'],
  },
  'a failed check is swallowed': {
    before: root,
    body: "const real = await fs.realpath(x); try { if (!real.startsWith(root + path.sep)) throw new Error('no'); } catch (error) { console.error(error); } return fs.readFile(real);",
    expected: ['medium path-traversal'],
  },
  'a check that is off unless asked for': {
    before: `${root}const strict = process.env.STRICT === '1';`,
    body: "const real = await fs.realpath(x); if (strict && !real.startsWith(root + path.sep)) throw new Error('no'); return fs.readFile(real);",
    expected: ['medium path-traversal'],
  },
  'a check that is on unless switched off': {
    before: `${root}const off = process.env.NO_CHECK === '1';`,
    body: "const real = await fs.realpath(x); if (!off && !real.startsWith(root + path.sep)) throw new Error('no'); return fs.readFile(real);",
    expected: [],
  },
  'no folder configured allows all': {
    before:
      'const folders = process.argv.slice(2); function ok(p) { if (folders.length === 0) return true; return folders.some((dir) => p.startsWith(dir + path.sep)); }',
    body: "const real = await fs.realpath(x); if (!ok(real)) throw new Error('no'); return fs.readFile(real);",
    expected: [],
  },
  'the last component only': {
    before: root,
    body: 'return fs.readFile(path.join(root, path.basename(x)));',
    expected: [],
  },
  'a fixed list': {
    before: "const names = ['a.txt', 'b.txt'];",
    body: "if (!names.includes(x)) throw new Error('no'); return fs.readFile(path.join('/srv', x));",
    expected: [],
  },
  'an enum in the schema': {
    schema: "z.enum(['a', 'b'])",
    body: "return fs.readFile(path.join('/srv', x));",
    expected: [],
  },
  'a tied expression in the schema': {
    schema: 'z.string().regex(/^[a-z0-9_-]+$/)',
    body: "return fs.readFile(path.join('/srv', x));",
    expected: [],
  },
  'the shape of a schema': {
    before: "const input = z.object({ x: z.enum(['a', 'b']) });",
    schema: 'input.shape.x',
    body: "return fs.readFile(path.join('/srv', x));",
    expected: [],
  },
  'a loose expression in the schema': {
    schema: 'z.string().regex(/[a-z0-9_-]+/)',
    body: "return fs.readFile(path.join('/srv', x));",
    expected: ['high path-traversal'],
  },
  'a predicate in the schema': {
    schema: 'z.string().refine((name) => /^[a-z]+$/.test(name))',
    body: "return fs.readFile(path.join('/srv', x));",
    expected: [],
  },
};

const shells: Readonly<Record<string, Case>> = {
  'a template': { body: 'exec(`ls ${x}`);', expected: ['critical command-injection'] },
  'a text put together': { body: "execSync('ls ' + x);", expected: ['critical command-injection'] },
  'a list joined': { body: "execSync(['ls', '-l', x].join(' '));", expected: ['critical command-injection'] },
  'promisify under another name': {
    before: 'const run = promisify(exec);',
    body: 'await run(`ls "${x}"`);',
    expected: ['critical command-injection'],
  },
  'quotes of JSON are no guard': {
    body: 'execSync(`ls ${JSON.stringify(x)}`);',
    expected: ['critical command-injection'],
  },
  'spawn with a shell': { body: "spawn('ls', [x], { shell: true });", expected: ['critical command-injection'] },
  'spawn without a shell': { body: "spawn('ls', [x]);", expected: [] },
  'a shell by its name': { body: "spawn('bash', ['-c', `ls ${x}`]);", expected: ['critical command-injection'] },
  'a list without a shell': { body: "execFile('ls', ['-l', x]);", expected: [] },
  'an option of git': { body: "execFile('git', ['log', x]);", expected: ['medium argument-injection'] },
  'the options are ended': { body: "execFile('git', ['log', '--', x]);", expected: [] },
  'a dash is refused': {
    body: "if (x.startsWith('-')) throw new Error('no'); execFile('git', ['log', x]);",
    expected: [],
  },
  'the value of an option': { body: "execFile('git', ['commit', '-m', x]);", expected: [] },
  'something stands before it': { body: "execFile('curl', [`https://example.com/${x}`]);", expected: [] },
  'a list that is pushed to': {
    body: "const args = ['clone']; args.push(x); execFile('git', args);",
    expected: ['medium argument-injection'],
  },
  'only a semicolon is refused': {
    body: "if (x.includes(';')) throw new Error('no'); execSync(`ls ${x}`);",
    expected: ['critical command-injection'],
  },
  'some characters are refused': {
    body: "if (/[;&|]/.test(x)) throw new Error('no'); execSync(`ls ${x}`);",
    expected: ['critical command-injection'],
  },
  'all that matters is refused': {
    body: "if (/[;&|$`<>()\\n\"'\\\\]/.test(x)) throw new Error('no'); execSync(`ls ${x}`);",
    expected: [],
  },
  'some characters are taken out': {
    body: "execSync(`ls ${x.replace(/;/g, '')}`);",
    expected: ['critical command-injection'],
  },
  'all but some characters are taken out': { body: "execSync(`ls ${x.replace(/[^a-z0-9]/gi, '')}`);", expected: [] },
  'a tied expression': {
    body: "if (!/^[a-z0-9]+$/i.test(x)) throw new Error('no'); execSync(`ls ${x}`);",
    expected: [],
  },
  'an expression that is not tied': {
    body: "if (!/[a-z0-9]+/.test(x)) throw new Error('no'); execSync(`ls ${x}`);",
    expected: ['critical command-injection'],
  },
  'tied to neither end by a choice': {
    body: "if (!/^a|b$/.test(x)) throw new Error('no'); execSync(`ls ${x}`);",
    expected: ['critical command-injection'],
  },
  'a number': { schema: 'z.number()', body: 'execSync(`sleep ${x}`);', expected: [] },
  'made a number': { body: 'execSync(`sleep ${Number(x)}`);', expected: [] },
  'checked to be a number': {
    body: "if (typeof x !== 'number') throw new Error('no'); execSync(`sleep ${x}`);",
    expected: [],
  },
  'a fixed set': {
    before: "const allowed = new Set(['a', 'b']);",
    body: "if (!allowed.has(x)) throw new Error('no'); execSync(`ls ${x}`);",
    expected: [],
  },
  'a switch over constants': {
    body: "switch (x) { case 'a': case 'b': execSync(`ls ${x}`); break; default: throw new Error('no'); }",
    expected: [],
  },
  'a table of constants': {
    before: "const table = { a: 'ls', b: 'df' };",
    body: 'const command = table[x]; if (!command) throw new Error("no"); execSync(command);',
    expected: [],
  },
  'a library that quotes': {
    before: "import { quote } from 'shell-quote';",
    body: "execSync('ls ' + quote([x]));",
    expected: [],
  },
  'the caller chooses the program': { body: 'spawn(x, []);', expected: ['critical command-injection'] },
};

describe.each([
  ['paths', paths],
  ['shells', shells],
])('guards of %s', (_kind, cases) => {
  it.each(Object.entries(cases))('%s', async (_name, { body, before, schema, expected }) => {
    const result = await inspectSample(sampleTool(body, before, schema));
    expect(result.handlers).toHaveLength(1);
    expect(told(result)).toEqual(expected);
  });
});
