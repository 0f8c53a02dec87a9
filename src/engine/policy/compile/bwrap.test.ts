import { describe, expect, it } from 'vitest';
import { tiers } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { compileBwrap } from './bwrap.ts';
import { samplePlace } from './sample-place.ts';

const options = { seccompFd: 3, args: ['/usr/bin/node', '--', '-e', '0'], cwd: '/tmp' };

describe('compileBwrap', () => {
  it.each(tiers)('%s shares nothing with the host', (tier) => {
    const { value } = compileBwrap(tierPolicy(tier), samplePlace(), options);
    for (const word of [
      '--unshare-user',
      '--unshare-pid',
      '--unshare-net',
      '--unshare-ipc',
      '--unshare-uts',
      '--die-with-parent',
      '--new-session',
      '--clearenv',
    ]) {
      expect(value).toContain(word);
    }
    expect(value).not.toContain('--share-net');
    expect(value).not.toContain('--dev-bind');
    expect(value.join(' ')).toContain('--cap-drop ALL');
  });

  it('ends its own options before the command', () => {
    const { value } = compileBwrap(tierPolicy('LOW'), samplePlace(), options);
    expect(value.slice(value.indexOf('--'))).toEqual(['--', '/usr/bin/node', '--', '-e', '0']);
    expect(value.slice(0, value.indexOf('--')).slice(-4)).toEqual(['--seccomp', '3', '--chdir', '/tmp']);
    expect(compileBwrap(tierPolicy('LOW'), samplePlace(), { ...options, seccompFd: null }).value).not.toContain(
      '--seccomp',
    );
  });

  it('has a read-only root and a /dev that is no room to write in', () => {
    const line = compileBwrap(tierPolicy('LOW'), samplePlace(), options).value.join(' ');
    const { rootFolder, hostFolders } = samplePlace();
    expect(line).toContain(
      `--ro-bind ${rootFolder} / --proc /proc --dev /dev --bind ${hostFolders.tmp} /dev/shm --remount-ro /dev`,
    );
    const writable = Array.from(line.matchAll(/--bind \S+ (\S+)/g), ([, target]) => target);
    expect(writable).toEqual(['/dev/shm', '/home/alex', '/tmp']);
  });

  it('has no shared memory where {tmp} cannot be written', () => {
    const policy = tierPolicy('LOW');
    const files = policy.files.filter(({ path }) => path !== '{tmp}');
    expect(compileBwrap({ ...policy, files }, samplePlace(), options).value).not.toContain('/dev/shm');
  });

  it('tells that it cannot keep a folder from being executed, and what can', () => {
    const [gap] = compileBwrap(tierPolicy('LOW'), samplePlace(), options).gaps;
    expect(gap).toMatchObject({ id: 'no-exec', effect: 'open' });
    expect(gap?.what).toContain('unless Landlock is put on inside');
    const [without] = compileBwrap(tierPolicy('LOW'), samplePlace({ landlockAbi: 0 }), options).gaps;
    expect(without?.what).not.toContain('Landlock');
  });
});
