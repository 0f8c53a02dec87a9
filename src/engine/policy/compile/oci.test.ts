import { describe, expect, it } from 'vitest';
import { tiers } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { compileOci, type OciOptions } from './oci.ts';
import { samplePlace } from './sample-place.ts';

function compileFor(runtime: OciOptions['runtime'], tier: (typeof tiers)[number] = 'LOW', overrides = {}) {
  return compileOci(tierPolicy(tier), samplePlace(overrides), { runtime, args: ['/usr/bin/true'], cwd: '/' });
}

describe.each(['runc', 'gvisor'] as const)('a bundle for %s', (runtime) => {
  it.each(tiers)('%s has no privilege at all', (tier) => {
    const { process, root, linux } = compileFor(runtime, tier).value;
    expect(process.noNewPrivileges).toBe(true);
    expect(Object.values(process.capabilities)).toEqual([[], [], [], [], []]);
    expect(process.user).toEqual({ uid: 1000, gid: 1000 });
    expect(process.terminal).toBe(false);
    expect(process.env).toEqual(['PATH=/usr/local/bin:/usr/bin:/bin']);
    expect(root.readonly).toBe(true);
    expect(linux.namespaces.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['pid', 'ipc', 'uts', 'mount', 'network']),
    );
    expect(linux.maskedPaths).toContain('/proc/kcore');
    expect(linux.readonlyPaths).toContain('/proc/sys');
  });

  it('mounts nothing with set-user-id programs or devices, and runs only what has a rule', () => {
    for (const { destination, type, options } of compileFor(runtime).value.mounts) {
      expect(options).toContain('nosuid');
      if (destination !== '/dev') expect(options).toContain('nodev');
      const isExecutable = !options.includes('noexec');
      expect([destination, isExecutable]).toEqual([destination, ['/usr', '/home/alex/project'].includes(destination)]);
      const isWritable = type === 'bind' && !options.includes('ro');
      expect([destination, isWritable]).toEqual([destination, ['/home/alex', '/tmp'].includes(destination)]);
    }
  });

  it('gives no kernel folder of the host', () => {
    const binds = compileFor(runtime, 'CRITICAL').value.mounts.filter(({ type }) => type === 'bind');
    expect(binds.filter(({ source }) => /^\/(proc|sys|dev)(\/|$)/.test(source))).toEqual([]);
  });

  it('limits files, and dumps no core', () => {
    const { rlimits } = compileFor(runtime).value.process;
    expect(rlimits).toEqual(
      expect.arrayContaining([
        { type: 'RLIMIT_NOFILE', hard: 1024, soft: 1024 },
        { type: 'RLIMIT_FSIZE', hard: 67108864, soft: 67108864 },
        { type: 'RLIMIT_CORE', hard: 0, soft: 0 },
      ]),
    );
  });
});

describe('what differs between runtimes', () => {
  it('runc has a user namespace in which root is nobody', () => {
    const { linux, process } = compileFor('runc').value;
    expect(linux.namespaces).toContainEqual({ type: 'user' });
    expect(linux.uidMappings).toEqual([
      { containerID: 0, hostID: 210_001, size: 1 },
      { containerID: 1000, hostID: 210_000, size: 1 },
    ]);
    expect(process.rlimits.some(({ type }) => type === 'RLIMIT_NPROC')).toBe(false);
  });

  it('never maps one id twice', () => {
    expect(compileFor('runc', 'LOW', { uid: 0, gid: 0 }).value.linux.uidMappings).toEqual([
      { containerID: 0, hostID: 210_000, size: 1 },
    ]);
  });

  it('gVisor has none, counts its own processes, and gets no answer it cannot give', () => {
    const { linux, process, mounts } = compileFor('gvisor').value;
    expect(linux.uidMappings).toBeUndefined();
    expect(linux.namespaces).not.toContainEqual({ type: 'user' });
    expect(process.rlimits).toContainEqual({ type: 'RLIMIT_NPROC', hard: 32, soft: 32 });
    expect(linux.seccomp.syscalls.every(({ errnoRet }) => errnoRet === 1)).toBe(true);
    expect(mounts.flatMap(({ options }) => options)).not.toContain('rro');
  });

  it('runc makes mounts below a read-only folder read-only too', () => {
    const usr = compileFor('runc').value.mounts.find(({ destination }) => destination === '/usr');
    expect(usr?.options).toEqual(['rbind', 'ro', 'rro', 'nosuid', 'nodev']);
  });
});

describe('gaps', () => {
  it.each([
    ['LOW', []],
    ['MEDIUM', ['network-gate']],
    ['CRITICAL', ['network-gate']],
  ] as const)('%s: %j', (tier, ids) => {
    expect(compileFor('runc', tier).gaps.map(({ id }) => id)).toEqual(ids);
  });

  it('shared memory is never more than a quarter of the memory', () => {
    const policy = tierPolicy('LOW');
    const tiny = { ...policy, limits: { ...policy.limits, memoryBytes: 16 * 1024 * 1024 } };
    const { mounts } = compileOci(tiny, samplePlace(), { runtime: 'runc', args: ['/x'], cwd: '/' }).value;
    expect(mounts.find(({ destination }) => destination === '/dev/shm')?.options).toContain('size=4194304');
  });
});
