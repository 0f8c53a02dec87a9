import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { DiskChange } from '../../../engine/box/index.ts';
import { searchPath } from '../../../engine/policy/tier-environment.ts';
import { defaultLaunchLimits } from './contract.ts';
import { bringBack, withNode } from './scripts.ts';
import { TreeWriter } from './write-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-scripts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const home = '/home/box';

function change(path: string, other: Partial<DiskChange> = {}): DiskChange {
  const pathBytes = Buffer.from(path);
  return { path, pathBytes, kind: 'created', type: 'file', sizeBytes: 4, mode: 0o644, sha256: null, ...other };
}

async function bring(name: string, changes: readonly DiskChange[], content: Buffer = Buffer.from('made')) {
  const root = join(folder, name);
  const writer = new TreeWriter(root);
  writer.file('old/file.js', Buffer.from('old'), 0o644);
  const folders = { home, work: '/work', tmp: '/tmp' };
  const box = { folders, diff: async () => ({ changes, isTruncated: false }), get: async () => content };
  return { root, problems: await bringBack(box, writer, '/final/app', defaultLaunchLimits) };
}

describe('what scripts have made', () => {
  it('comes back where it is below the package, and is told where it is not', async () => {
    const { root, problems } = await bring('plain', [
      change(`${home}/.config/autostart/x.desktop`),
      change(`${home}/.npm/_logs/x`),
      change(`${home}/app/made/file`, { mode: 0o755 }),
      change(`${home}/app/old/file.js`, { kind: 'removed' }),
      change('/tmp/x'),
    ]);
    expect(readFileSync(join(root, 'made/file'), 'utf8')).toBe('made');
    expect(existsSync(join(root, 'old/file.js'))).toBe(false);
    expect(problems).toEqual([expect.stringMatching(/1 files outside.*\.config\/autostart\/x\.desktop/)]);
  });

  it('is plain files and links that stay inside', async () => {
    const { root, problems } = await bring('links', [
      change(`${home}/app/a`, { type: 'link', linkTarget: 'old/file.js' }),
      change(`${home}/app/b`, { type: 'link', linkTarget: '/etc/passwd' }),
      change(`${home}/app/c`, { type: 'link', linkTarget: '../../up' }),
      change(`${home}/app/pipe`, { type: 'other' }),
      change(`${home}/app/../../x`),
      change('', { path: 'no text', pathBytes: Buffer.concat([Buffer.from(`${home}/app/`), Buffer.from([0xff])]) }),
      change(`${home}/app/venv/bin/python`, { type: 'link', linkTarget: '/usr/bin/python3' }),
    ]);
    expect(readlinkSync(join(root, 'a'))).toBe('old/file.js');
    for (const name of ['b', 'c', 'pipe', 'venv/bin/python']) expect(existsSync(join(root, name))).toBe(false);
    expect(problems.filter((line) => line.includes('leads out'))).toHaveLength(2);
    expect(problems.filter((line) => line.includes('not a plain file'))).toHaveLength(1);
    expect(problems.filter((line) => line.includes('is no text'))).toHaveLength(1);
  });

  it('is bounded', async () => {
    const large = change(`${home}/app/large`, { sizeBytes: defaultLaunchLimits.mostFileBytes + 1 });
    const { root, problems } = await bring('large', [large, change(`${home}/app/later`)]);
    expect(problems).toEqual([expect.stringMatching(/more than/)]);
    expect(existsSync(join(root, 'later'))).toBe(false);
  });

  it('finds its Python where the tree will be', async () => {
    const script = Buffer.from(`#!${home}/app/venv/bin/python\nimport x\n`);
    const { root } = await bring('venv', [change(`${home}/app/venv/bin/tool`, { mode: 0o755 })], script);
    expect(readFileSync(join(root, 'venv/bin/tool'), 'utf8')).toBe('#!/final/app/venv/bin/python\nimport x\n');
  });
});

describe('steps', () => {
  it('run with the node that the server will have', () => {
    const argv = ['/usr/bin/env', `PATH={home}/app/node_modules/.bin:${searchPath}`, 'npm_node_execpath=/usr/bin/node'];
    const step = { what: 'x', argv: [...argv, '/bin/sh'], cwd: '/', timeoutMs: 1 };
    const node = { path: '/opt/node/bin/node', files: [] };
    expect(withNode(step, node).argv).toEqual([
      '/usr/bin/env',
      `PATH={home}/app/node_modules/.bin:/opt/node/bin:${searchPath}`,
      'npm_node_execpath=/opt/node/bin/node',
      '/bin/sh',
    ]);
    expect(withNode(step, null)).toEqual(step);
  });
});
