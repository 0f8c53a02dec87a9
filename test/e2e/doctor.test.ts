import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backendIds } from '../../src/engine/box/contract.ts';
import { hostProbes, hostTools } from '../../src/engine/host/index.ts';
import { cleanEnvironment, hotcell, program } from './hotcell.ts';
import { findTraces, makeRuntimeFolder } from './traces.ts';

interface Report {
  readonly kernel: readonly { readonly id: string; readonly state: string; readonly summary: string }[];
  readonly backends: readonly {
    readonly id: string;
    readonly state: string;
    readonly summary: string;
    readonly mend?: string;
    readonly strength: number;
    readonly selfCheck: readonly { readonly result: string }[];
  }[];
  readonly tools: readonly { readonly id: string; readonly path: string | null }[];
  readonly auto: string | null;
  readonly clean?: { readonly removed: readonly string[]; readonly kept: readonly string[] };
  readonly fix?: {
    readonly commands: readonly string[];
    readonly installed: readonly string[];
    readonly because?: string;
  };
}

/**
 * A machine that has none of the sandbox packages: in a mount namespace of its own, an overlay over /usr in which they
 * are gone.
 */
const bareMachine = [
  'mount -t tmpfs none /mnt && mkdir /mnt/upper /mnt/work',
  'mount -t overlay none -o lowerdir=/usr,upperdir=/mnt/upper,workdir=/mnt/work /usr',
  'cd /usr && rm -f bin/runsc sbin/runc bin/runc bin/bwrap sbin/dockerd bin/dockerd bin/docker bin/strace sbin/nft',
  'cd / && exec "$0" "$@"',
].join(' && ');

describe('hotcell doctor', () => {
  let runtimeFolder = '';
  let report: Report;

  const places = (): readonly string[] => [
    '--runtime-folder',
    runtimeFolder,
    '--docker-socket',
    '/nonexistent/engine.sock',
  ];

  beforeAll(async () => {
    runtimeFolder = await makeRuntimeFolder();
    report = JSON.parse(hotcell(['doctor', '--json', '--clean', ...places()]).stdout) as Report;
  });

  afterAll(() => rmSync(runtimeFolder, { recursive: true }));

  it('answers every question, each with a reason', () => {
    expect(report.kernel.map(({ id }) => id)).toEqual(hostProbes.map(({ id }) => id));
    expect(report.tools.map(({ id }) => id)).toEqual(hostTools.map(({ id }) => id));
    for (const { summary } of [...report.kernel, ...report.backends]) expect(summary).not.toBe('');
  });

  it('tries every backend, strongest first, and proves those it calls working', () => {
    expect(report.backends.map(({ id }) => id).sort()).toEqual([...backendIds].sort());
    const strengths = report.backends.map(({ strength }) => strength);
    expect(strengths).toEqual(strengths.toSorted((a, b) => b - a));
    for (const { state, selfCheck } of report.backends) {
      expect(selfCheck.some(({ result }) => result === 'held')).toBe(state === 'works');
      expect(selfCheck.some(({ result }) => result === 'broken')).toBe(false);
    }
    expect(report.auto).toBe(report.backends.find(({ state }) => state === 'works')?.id ?? null);
  });

  it('says what would mend a backend that does not work', () => {
    const docker = report.backends.find(({ id }) => id === 'docker');
    expect(docker).toMatchObject({ state: 'missing' });
    expect(docker?.mend).not.toBe('');
  });

  it('ends with 0 when a box works and with 4 when none does', () => {
    expect(hotcell(['doctor', ...places()]).code).toBe(report.auto === null ? 4 : 0);
  });

  it('leaves nothing behind, and finds nothing to clean', () => {
    expect(report.clean).toEqual({ removed: [], kept: [] });
    expect(findTraces(runtimeFolder, [])).toEqual([]);
  });

  it('has the same in words', () => {
    const { stdout } = hotcell(['doctor', ...places()]);
    for (const { id, summary } of report.backends) expect(stdout).toMatch(new RegExp(`${id} +${summary.slice(0, 12)}`));
  });

  it('on a machine without any package finds landlock, and says which packages it would install', ({ skip }) => {
    if (process.getuid?.() !== 0) skip('hiding packages needs root');
    const landlock = report.backends.find(({ id }) => id === 'landlock');
    if (landlock?.state !== 'works') skip(`landlock: ${landlock?.summary}`);
    const words = ['doctor', '--json', '--fix', ...places()];
    const ran = spawnSync('unshare', ['--mount', 'sh', '-c', bareMachine, program, ...words], {
      encoding: 'utf8',
      env: cleanEnvironment(),
      input: '',
    });
    expect(ran.status, ran.stderr).toBe(0);
    const bare = JSON.parse(ran.stdout) as Report;
    expect(bare.auto).toBe('landlock');
    expect(bare.backends.filter(({ state }) => state === 'works').map(({ id }) => id)).toEqual(['landlock']);
    for (const id of ['gvisor', 'runc', 'bwrap'])
      expect(bare.backends.find((backend) => backend.id === id)?.mend).toMatch(/apt-get install/);
    expect(bare.fix?.installed).toEqual([]);
    expect(bare.fix?.because).toMatch(/nobody is there to ask/);
    expect(bare.fix?.commands.at(-1)).toMatch(/^apt-get install .*bubblewrap.*runc runsc/);
    expect(ran.stderr).toContain('apt-get install');
  });

  it('works for a user without rights', ({ skip }) => {
    if (process.getuid?.() !== 0) skip('only root can become somebody else');
    const home = mkdtempSync(join(tmpdir(), 'hotcell-nobody-'));
    chownSync(home, 65534, 65534);
    const become = ['--reuid', '65534', '--regid', '65534', '--clear-groups', program];
    const ran = spawnSync('setpriv', [...become, 'doctor', '--json', '--runtime-folder', join(home, 'run')], {
      encoding: 'utf8',
      cwd: '/',
      env: cleanEnvironment({ HOME: home }),
    });
    rmSync(home, { recursive: true });
    const own = JSON.parse(ran.stdout) as Report;
    expect(ran.status).toBe(own.auto === null ? 4 : 0);
    expect(own.backends.filter(({ state }) => state === 'failed')).toEqual([]);
    for (const id of ['gvisor', 'runc'])
      expect(own.backends.find((backend) => backend.id === id)).toMatchObject({ state: 'missing' });
  });
});
