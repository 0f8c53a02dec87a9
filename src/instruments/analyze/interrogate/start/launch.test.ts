import { rmSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { LaunchFacts } from './contract.ts';
import { diagnose } from './diagnose.ts';
import { nextLaunch } from './next-launch.ts';
import { planLaunch } from './plan-launch.ts';
import { config, sampleFacts, sampleFailure } from './sample-facts.ts';

const made: string[] = [];
function facts(files: Readonly<Record<string, string>>, changes: Partial<LaunchFacts> = {}): LaunchFacts {
  const all = sampleFacts(files, changes);
  made.push(all.folder);
  return all;
}
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

const manifest = (fields: object): string => JSON.stringify({ name: 'demo-mcp', ...fields });
const base = '/home/maria/app/node_modules/demo-mcp';
const { world } = sampleFacts({});

describe('which file is started', () => {
  it.each<{ what: string; files: Record<string, string>; argv: string[]; changes?: Partial<LaunchFacts> }>([
    {
      what: 'its only program',
      files: { 'package.json': manifest({ bin: 'cli.js' }), 'cli.js': '' },
      argv: ['/usr/bin/env', 'node', `${base}/cli.js`],
    },
    {
      what: 'the one named like the package',
      files: { 'package.json': manifest({ bin: { setup: 's.js', 'demo-mcp': 'd.js', 'demo-mcp-client': 'c.js' } }) },
      argv: ['/usr/bin/env', 'node', `${base}/d.js`],
    },
    {
      what: 'the one that speaks over its streams',
      files: {
        'package.json': manifest({ bin: { one: 'a.js', two: 'b.js' } }),
        'a.js': 'x()',
        'b.js': 'new StdioServerTransport()',
      },
      argv: ['/usr/bin/env', 'node', `${base}/b.js`],
    },
    {
      what: 'its main file where it brings no program',
      files: { 'package.json': manifest({ main: './lib/x.js' }), 'lib/x.js': '' },
      argv: ['/usr/bin/env', 'node', `${base}/lib/x.js`],
    },
    {
      what: 'the file that the target names',
      files: { 'package.json': manifest({ bin: 'cli.js' }), 'other.py': '' },
      changes: { entry: 'other.py' },
      argv: ['/usr/bin/env', 'python3', `${base}/other.py`],
    },
    {
      what: 'a script of a Python package',
      files: { 'demo_mcp/server.py': '' },
      changes: {
        ecosystem: 'pypi',
        installed: { folder: '/v/site-packages', programs: ['/v/bin/python', '/v/bin/demo-mcp', '/v/bin/demo-setup'] },
      },
      argv: ['/v/bin/python', '/v/bin/demo-mcp'],
    },
    {
      what: 'a module of a Python package without scripts',
      files: { 'demo_mcp/__main__.py': '' },
      changes: { ecosystem: 'pypi', installed: { folder: '/v/site-packages', programs: ['/v/bin/python'] } },
      argv: ['/v/bin/python', '-m', 'demo_mcp'],
    },
    {
      what: 'a program of the machine by itself',
      files: { serve: '#!/bin/bash\n' },
      changes: { entry: 'serve' },
      argv: [`${base}/serve`],
    },
    {
      what: 'the file of a bundle',
      files: {
        'manifest.json': JSON.stringify({ server: { entry_point: 'server/main.js', mcp_config: { command: 'node' } } }),
        'server/main.js': '',
      },
      argv: ['/usr/bin/env', 'node', `${base}/server/main.js`],
    },
  ])('$what', ({ files, argv, changes }) => {
    expect(planLaunch(facts(files, changes)).argv).toEqual(argv);
  });
});

describe('what it is started with', () => {
  const bin = { 'package.json': manifest({ bin: 'cli.js' }) };

  it('takes arguments and secrets from the example for clients', () => {
    const readme = config({
      command: 'npx',
      args: ['-y', 'demo-mcp', '/Users/me/files'],
      env: { DEMO_API_KEY: 'your-key', LOG_LEVEL: 'debug', ENABLE_X: 'true', MAX_ROWS: '10' },
    });
    const launch = planLaunch(facts({ ...bin, 'README.md': readme }));
    expect(launch.argv.slice(3)).toEqual([world.root]);
    expect(launch.environment).toEqual({ DEMO_API_KEY: 'bait:DEMO_API_KEY' });
    expect(launch.isConfined).toBe(true);
    expect(launch.because.join('\n')).toContain('DEMO_API_KEY');
  });

  it('passes over examples that set something up, and those of other servers', () => {
    const setup = '```sh\nnpx demo-mcp setup\n```\n';
    const other = config({ command: 'npx', args: ['other-mcp', '/x'], env: { OTHER_KEY: '1' } });
    const launch = planLaunch(facts({ ...bin, 'README.md': `${setup}${other}` }));
    expect(launch.argv).toHaveLength(3);
    expect(launch.environment).toEqual({});
  });

  it('takes usage from code where no example tells', () => {
    const code = 'if (process.argv.length < 3) { console.error("Usage: demo-mcp <database-path>"); process.exit(1); }';
    const launch = planLaunch(facts({ ...bin, 'cli.js': code }));
    expect(launch.argv.slice(3)).toHaveLength(1);
    expect(launch.argv[3]).not.toContain('<');
  });

  it('sets what code cannot do without and leaves the rest', () => {
    const code = 'const k = process.env.K_TOKEN; const o = process.env.O_TOKEN;\nif (!k) throw new Error("K");';
    expect(planLaunch(facts({ ...bin, 'cli.js': code })).environment).toEqual({ K_TOKEN: 'bait:K_TOKEN' });
  });

  it('names the service that an argument wants', () => {
    const readme = config({ command: 'npx', args: ['demo-mcp', 'postgresql://localhost/mydb'] });
    expect(planLaunch(facts({ ...bin, 'README.md': readme })).props).toEqual([{ kind: 'service', name: 'postgres' }]);
  });

  it('leaves files of the target where they are', () => {
    const server = {
      entry_point: 'server/main.py',
      mcp_config: {
        command: 'python',
        args: ['${__dirname}/server/main.py', '--data', '${__dirname}/data'],
        env: { PYTHONPATH: '${__dirname}/lib' },
      },
    };
    const launch = planLaunch(facts({ 'manifest.json': JSON.stringify({ server }), 'server/main.py': '' }));
    expect(launch.argv.slice(2)).toEqual([`${base}/server/main.py`, '--data', `${base}/data`]);
    expect(launch.environment.PYTHONPATH).toBe(`${base}/lib`);
  });

  it('lets what the user gave win', () => {
    const readme = config({ command: 'npx', args: ['demo-mcp', '/x'], env: { DEMO_API_KEY: 'x' } });
    const given = { environment: { DEMO_API_KEY: 'mine' }, args: ['--mine'], props: [] };
    const launch = planLaunch(facts({ ...bin, 'README.md': readme }, { given }));
    expect(launch.argv.slice(3)).toEqual(['--mine']);
    expect(launch.environment.DEMO_API_KEY).toBe('mine');
  });

  it('speaks HTTP with one that only listens', () => {
    const code = 'const port = process.env.PORT || 3000; app.listen(port); new StreamableHTTPServerTransport()';
    expect(planLaunch(facts({ ...bin, 'cli.js': code }))).toMatchObject({
      transport: 'http',
      port: 38080,
      environment: { PORT: '38080' },
    });
    const both = `${code}; new StdioServerTransport()`;
    expect(planLaunch(facts({ ...bin, 'cli.js': both })).transport).toBe('stdio');
  });
});

describe('a better idea', () => {
  const own = facts({
    'package.json': manifest({ bin: { 'demo-mcp': 'a.js', 'demo-other': 'b.js' } }),
    'README.md': 'run with --stdio',
  });
  const first = planLaunch(own);

  it.each([
    {
      what: 'a variable',
      failure: { stderrTail: 'DEMO_TOKEN is required' },
      is: { environment: { DEMO_TOKEN: 'bait:DEMO_TOKEN' } },
    },
    {
      what: 'an argument',
      failure: { stderrTail: 'Usage: demo-mcp <allowed-directory>' },
      is: { argv: [...first.argv, world.root], isConfined: true },
    },
    {
      what: 'a program',
      failure: { stderrTail: 'Error: spawn kubectl ENOENT' },
      is: { props: [expect.objectContaining({ kind: 'program', name: 'kubectl' })] },
    },
    {
      what: 'a service',
      failure: { stderrTail: 'connect ECONNREFUSED 127.0.0.1:5432' },
      is: { props: [{ kind: 'service', name: 'postgres' }] },
    },
    { what: 'a port', failure: { is: 'silent' as const, listens: [3000] }, is: { transport: 'http', port: 3000 } },
    {
      what: 'a port that it tells',
      failure: { is: 'silent' as const, stderrTail: 'Server listening on port 4000' },
      is: { transport: 'http', port: 4000 },
    },
    { what: 'a flag it knows', failure: { is: 'silent' as const }, is: { argv: [...first.argv, '--stdio'] } },
  ])('$what', ({ failure, is }) => {
    expect(nextLaunch([sampleFailure(first, failure)], own)).toMatchObject(is);
  });

  it('never repeats itself and comes to an end', () => {
    const failed = [sampleFailure(first, { is: 'silent' })];
    for (let next = nextLaunch(failed, own); next !== null; next = nextLaunch(failed, own)) {
      expect(failed.map(({ launch }) => launch.argv)).not.toContainEqual(next.argv);
      failed.push(sampleFailure(next, { is: 'silent' }));
    }
    expect(failed.length).toBeLessThan(6);
    expect(failed.map(({ launch }) => launch.argv[2])).toContain(`${base}/b.js`);
    expect(nextLaunch([], own)).toBeNull();
  });
});

describe('the best guess why', () => {
  const launch = planLaunch(facts({ 'package.json': manifest({ bin: 'a.js' }) }));
  it.each([
    { failure: { stderrTail: 'DEMO_TOKEN is required' }, says: ['code 1', 'the variable DEMO_TOKEN'] },
    {
      failure: { stderrTail: "Error: Cannot find module 'zod'\n    at x (y.js:1)\nNode.js v20" },
      says: ['missing: zod', 'it said: Error: Cannot'],
    },
    { failure: { is: 'silent' as const }, says: ['does not answer'] },
    { failure: { is: 'silent' as const, listens: [3000] }, says: ['port 3000'] },
    { failure: { code: null, signal: 'SIGKILL' }, says: ['ended by SIGKILL'] },
    { failure: { is: 'refused' as const }, says: ['answered the handshake with an error'] },
    { failure: { stderrTail: 'error \u001b[2J\u202eevil' }, says: ['\\x1b[2J'] },
  ])('$failure', ({ failure, says }) => {
    const text = diagnose(sampleFailure(launch, failure));
    for (const part of says) expect(text).toContain(part);
    expect(text).not.toMatch(/[\u001b\u202e]/);
  });
});
