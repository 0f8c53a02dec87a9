import { describe, expect, it } from 'vitest';
import { tiers } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { compileDocker } from './docker.ts';
import { samplePlace } from './sample-place.ts';

const options = { args: ['/usr/bin/perl', '/run/airlock'], cwd: '/' };

describe('compileDocker', () => {
  it.each(tiers)('%s is confined', (tier) => {
    const policy = tierPolicy(tier);
    const { HostConfig: host, ...body } = compileDocker(policy, samplePlace(), options).value;
    expect(host).toMatchObject({
      NetworkMode: 'none',
      IpcMode: 'private',
      Privileged: false,
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      Memory: policy.limits.memoryBytes,
      MemorySwap: policy.limits.memoryBytes,
      PidsLimit: policy.limits.processes,
      NanoCpus: policy.limits.cpuCores * 1e9,
      LogConfig: { Type: 'none' },
      AutoRemove: false,
    });
    expect(host.SecurityOpt[0]).toBe('no-new-privileges');
    expect(body).toMatchObject({
      User: '1000:1000',
      Tty: false,
      OpenStdin: true,
      StdinOnce: true,
      Labels: { 'hotcell.box': 'sample' },
    });
    expect(body.Env).toEqual(['PATH=/usr/local/bin:/usr/bin:/bin']);
  });

  it('takes the filter as JSON text', () => {
    const text = compileDocker(tierPolicy('LOW'), samplePlace(), options).value.HostConfig.SecurityOpt[1] ?? '';
    expect(text.startsWith('seccomp={')).toBe(true);
    expect(JSON.parse(text.slice('seccomp='.length))).toMatchObject({ defaultAction: 'SCMP_ACT_ALLOW' });
  });

  it('runs the command and nothing of the image', () => {
    const body = compileDocker(tierPolicy('LOW'), samplePlace(), options).value;
    expect([body.Entrypoint, body.Cmd]).toEqual([['/usr/bin/perl'], ['/run/airlock']]);
  });

  it('names a runtime only when it is asked to', () => {
    const config = (runtime?: string) =>
      compileDocker(tierPolicy('LOW'), samplePlace(), runtime === undefined ? options : { ...options, runtime }).value
        .HostConfig;
    expect(config()).not.toHaveProperty('Runtime');
    expect(config('runsc')).toHaveProperty('Runtime', 'runsc');
  });

  it('writes only to the folders of the box', () => {
    const { Mounts } = compileDocker(tierPolicy('MEDIUM'), samplePlace(), options).value.HostConfig;
    expect(Mounts.filter(({ ReadOnly }) => !ReadOnly).map(({ Target }) => Target)).toEqual(['/home/alex', '/tmp']);
    expect(Mounts.every(({ BindOptions }) => BindOptions.NonRecursive)).toBe(true);
  });

  it('tells that a folder cannot be kept from being executed', () => {
    expect(compileDocker(tierPolicy('LOW'), samplePlace(), options).gaps.map(({ id }) => id)).toEqual(['no-exec']);
  });
});
