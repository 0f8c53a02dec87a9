import { mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { Cell } from '../../../src/engine/cell/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { resolveDependencies } from '../../../src/targets/ingest/fetch/dependencies/resolve.ts';
import { fetchNpm } from '../../../src/targets/ingest/fetch/npm.ts';
import { readNpmSettings } from '../../../src/targets/ingest/fetch/npm-settings.ts';
import { Arena } from '../box/arena.ts';
import { collectArtefacts } from './collect-artefacts.ts';

/** A real npm installs a real package in a watched box, from a registry that is not there. */

const folder = mkdtempSync('/tmp/hotcell-install-');
const name = 'is-odd';
const version = '3.0.1';
const context = {
  cwd: folder,
  home: homedir(),
  environment: process.env,
  cacheFolder: join(folder, 'cache'),
  isOffline: false,
};

describe('an install in a box', () => {
  const arena = new Arena();
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gets what was fetched and verified before, and nothing else', async (skippable) => {
    await arena.need('bwrap', skippable);
    const target = { kind: 'npm' as const, name, wanted: { is: 'version' as const, value: version } };
    const root = await fetchNpm(target, context, join(folder, 'root')).catch((error: Error) => {
      skippable.skip(`no registry answers: ${error.message}`);
      throw error;
    });
    const graph = await resolveDependencies({ ecosystem: 'npm', manifest: root.manifest ?? {} }, context);
    const { artefacts, missing } = await collectArtefacts(
      { ecosystem: 'npm', name, version },
      graph,
      context,
      join(folder, 'files'),
    );
    expect(missing).toEqual([]);
    expect(artefacts.map((each) => each.name).sort()).toEqual(['is-number', 'is-odd']);
    const registry = String((await readNpmSettings(context)).registry);
    const hosts = [new URL(registry).host];
    const cell = await Cell.open(
      { ...tierPolicy('CRITICAL'), network: { mode: 'fake', rules: [] } },
      {
        ...arena.options,
        backend: 'bwrap',
        folder: join(folder, 'run'),
        phase: 'install',
        fake: { registries: [{ kind: 'npm', hosts, artefacts }] },
      },
    );
    const install = (spec: string): string =>
      `npm install --no-audit --no-fund --registry=${registry} ${spec} && ls node_modules`;
    const script = `mkdir -p "$HOME/app" && cd "$HOME/app" && ${install(`${name}@${version}`)}; ${install('left-pad@1.3.0')}`;
    const child = await cell.spawn(['/bin/sh', '-c', script]);
    child.stdin.end();
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), child.exited]);
    const report = await cell.close();
    expect(output).toContain('is-number\nis-odd\n');
    expect(output).not.toContain('left-pad\n');
    expect(errors).toContain('404');
    expect(report.isComplete).toBe(true);
  });
});
