import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { liesBelow } from './canonical-paths.ts';
import { type Got, makeTarget, type Scheme, World, type WorldOptions } from './sample-world.ts';

const run = promisify(execFile);
const limits = { timeout: 40_000, killSignal: 'SIGKILL' } as const;

let world: World | null = null;
let folder = '';
const got: Got[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hotcell-bridge-'));
  got.length = 0;
});
afterEach(async () => {
  await world?.close();
  world = null;
  await rm(folder, { recursive: true });
});

/** It has `/api/users`, `/api/admin/…`, and a hidden parameter. */
async function open(scheme: Scheme, options: WorldOptions = {}): Promise<World> {
  const target = makeTarget(scheme, got, ({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://target');
    const isThere = ['/api/users', '/api/admin'].includes(pathname) && headers['x-api-key'] === 'ours';
    response.statusCode = isThere ? 200 : 404;
    response.end(searchParams.has('backdoor') ? 'stack trace\n'.repeat(20) : 'nothing');
  });
  world = await World.open(target, { inject: { header: 'X-Api-Key', value: 'ours' }, ...options });
  return world;
}

async function words(...list: readonly string[]): Promise<string> {
  const path = join(folder, 'words');
  await writeFile(path, `${list.join('\n')}\n`);
  return path;
}

const filler = Array.from({ length: 87 }, (_, at) => `word${at}`);

describe.skipIf(!existsSync('/usr/bin/ffuf')).each(['http', 'https'] as const)('ffuf over %s', (scheme) => {
  it('finds what is there, and reaches nothing that is refused', async () => {
    const judge: WorldOptions['judge'] = ({ paths }) =>
      liesBelow(paths, '/api') && !liesBelow(paths, '/api/admin') ? null : 'out of the scope';
    const made = await open(scheme, { judge });
    const list = await words(...filler, 'users', 'admin', '../secret', '%2e%2e/secret', '..;/secret');
    const output = join(folder, 'out.json');
    const url = `${scheme}://127.0.0.1:${made.port}/api/FUZZ`;
    await run('/usr/bin/ffuf', ['-u', url, '-w', list, '-s', '-t', '8', '-o', output, '-of', 'json'], {
      ...limits,
      env: { HOME: folder },
    });
    const { results } = JSON.parse(await readFile(output, 'utf8')) as { results: { url: string; status: number }[] };
    expect(results.map(({ url: found, status }) => [found.slice(url.length - 4), status])).toEqual([['users', 200]]);
    expect(new Set(got.map(({ url: path }) => path))).toEqual(
      new Set([...filler, 'users'].map((word) => `/api/${word}`)),
    );
    const refused = made.requests.filter(([, { is }]) => is === 'refused').map(([{ target }]) => target);
    expect(refused).toContain('/api/admin');
    expect(refused.some((target) => target.includes('secret'))).toBe(true);
  });
});

describe.skipIf(!existsSync('/usr/bin/arjun')).each(['http', 'https'] as const)('arjun over %s', (scheme) => {
  it('finds the hidden parameter', async () => {
    const made = await open(scheme);
    const list = await words(...filler, 'backdoor');
    const output = join(folder, 'out.json');
    const url = `${scheme}://127.0.0.1:${made.port}/api/users`;
    // With 40 words of its own they are 128, and can be halved evenly: else it often takes the target for unstable.
    await run('/usr/bin/arjun', ['-u', url, '-w', list, '-c', '44', '-oJ', output, '-q'], {
      ...limits,
      env: { HOME: folder, PATH: '/usr/bin:/bin' },
    });
    const found = JSON.parse(await readFile(output, 'utf8')) as Record<string, { params: string[] }>;
    expect(found[url]?.params).toEqual(['backdoor']);
    expect(got.length).toBeGreaterThan(5);
  });
});
