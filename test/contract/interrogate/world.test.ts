import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { BackendId } from '../../../src/engine/box/index.ts';
import { Cell } from '../../../src/engine/cell/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { runInBox } from '../../../src/instruments/analyze/interrogate/world/in-box.ts';
import {
  plantWorld,
  planWorld,
  raiseProps,
  restoreWorld,
} from '../../../src/instruments/analyze/interrogate/world/index.ts';
import { postgresPrograms } from '../../../src/instruments/analyze/interrogate/world/props/postgres.ts';
import { Arena } from '../box/arena.ts';

/** What is planted in a box is there for programs in the box, and shows itself when it is used. */

const folder = mkdtempSync('/tmp/hotcell-world-');
const timeoutMs = 30_000;

const fetchScript = `
  const [url] = process.argv.slice(1);
  fetch(url).then((answer) => answer.text()).then((text) => console.log(text.slice(-400)), (error) => console.log('ERROR', String(error.cause ?? error)));
`;

describe.each(['bwrap', 'gvisor'] satisfies BackendId[])('the world in a %s box', (backend) => {
  const arena = new Arena();
  beforeEach((context) => arena.need(backend, context));
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has files, a link, a repository, pages and an inner service', async () => {
    const plan = planWorld();
    await using cell = await Cell.open(
      { ...tierPolicy('CRITICAL'), network: { mode: 'fake', rules: [] } },
      { ...arena.options, backend, folder: join(folder, backend), fake: plan.fake },
    );
    await using planted = await plantWorld(cell, {}, plan);
    const world = await planted.finish(cell);
    const said = async (...argv: readonly string[]): Promise<string> => {
      const { stdout } = await runInBox(cell, argv, timeoutMs);
      return stdout;
    };
    const fetched = (url: string): Promise<string> => said('/usr/bin/env', 'node', '-e', fetchScript, url);
    expect(await said('/bin/cat', world.link?.path ?? '')).toContain(world.outsideCanary);
    expect(await said('/bin/cat', world.sibling?.path ?? '')).toContain(world.sibling?.canary);
    expect(await said('/bin/sh', '-c', `echo ${world.outsideFolder}/*`)).toContain(world.outsideEntry);
    if (world.git !== undefined) {
      expect(await said('/usr/bin/git', '-C', world.git, 'log', '--format=%s')).toBe('Add notes\n');
    }
    const { port, canary } = world.loopback ?? { port: 0, canary: 'none' };
    for (const url of [
      ...[`http://127.0.0.1:${port}/`, `http://[::1]:${port}/`, `http://[::ffff:127.0.0.1]:${port}/`],
      ...[world.redirect?.url ?? '', `http://${world.rebindingHost}:${port}/`],
    ]) {
      expect(await fetched(url), url).toContain(canary);
    }
    expect(planted.loopback?.asked.map((asked) => asked.toString('latin1').slice(0, 5))).toEqual(
      Array(5).fill('GET /'),
    );
    expect(await fetched(world.url)).toContain('Notes on bread');
    for (const url of [world.large?.declared ?? '', world.large?.undeclared ?? '']) {
      expect(await fetched(url), url).toContain(world.large?.canary);
    }
    // What was changed comes back.
    await said('/bin/sh', '-c', `echo changed > ${world.files.text}`);
    await restoreWorld(cell, world);
    expect(await said('/bin/cat', world.files.text)).toContain('buy milk');
  });

  it('has what a server wants to find', async (context) => {
    if (postgresPrograms() === null) context.skip('PostgreSQL is not installed');
    await using cell = await Cell.open(
      { ...tierPolicy('CRITICAL'), network: { mode: 'fake', rules: [] } },
      { ...arena.options, backend, folder: join(folder, `${backend}-props`) },
    );
    await using planted = await plantWorld(cell, {});
    const { temporary } = planted.world;
    await using props = await raiseProps(cell, [
      { kind: 'service', name: 'postgres' },
      { kind: 'program', name: 'kubectl', text: "it's kubectl 1.0\n" },
      { kind: 'program', name: '../../evil', text: '' },
    ]);
    expect(props.problems).toEqual(['no program can be called "../../evil"']);
    const { PATH = '', DATABASE_URL = '' } = props.environment;
    const stub = await runInBox(cell, ['/usr/bin/env', `PATH=${PATH}`, 'kubectl', 'version'], timeoutMs);
    expect(stub).toMatchObject({ code: 0, stdout: "it's kubectl 1.0\n" });
    const query = (sql: string) => runInBox(cell, ['/usr/bin/psql', '-At', DATABASE_URL, '-c', sql], timeoutMs);
    expect((await query(`SELECT body FROM ${props.world.table} WHERE id = 7`)).stdout).toBe(
      `${props.world.databaseCanary}\n`,
    );
    // Only what is really made leaves a trace: not what is refused, and not what is taken back.
    expect((await query('BEGIN READ ONLY; CREATE TABLE hcrefused(x int)')).code).not.toBe(0);
    expect((await query('BEGIN; CREATE TABLE hctakenback(x int); ROLLBACK')).code).toBe(0);
    expect((await query('BEGIN READ ONLY; COMMIT; CREATE TABLE hcmade(x int)')).code).toBe(0);
    expect((await runInBox(cell, ['/bin/sh', '-c', `echo ${temporary}/*`], timeoutMs)).stdout).toBe(
      `${temporary}/hcmade\n`,
    );
    // The role is an ordinary one.
    expect((await query(`COPY (SELECT 1) TO '${temporary}/hcother'`)).stderr).toContain('superuser');
  });
});
