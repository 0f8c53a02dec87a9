import { describe, expect, it } from 'vitest';
import { HostError, UsageError } from '../../../base/errors.ts';
import { inspectDockerNetwork, readDockerNetwork } from './docker-network.ts';

const id = '84ff2891f5ab94c413e53a488bdb7fb20e3554d9c52755f50fbd4b653972142f';

const described = (changes: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify([
    {
      Name: 'redbox',
      Id: id,
      Driver: 'bridge',
      EnableIPv6: false,
      IPAM: { Driver: 'default', Options: null, Config: [{ Subnet: '172.18.0.0/16', Gateway: '172.18.0.1' }] },
      Options: {},
      ...changes,
    },
  ]);

describe('a network of the engine', () => {
  it('has its subnets and its bridge', () => {
    expect(readDockerNetwork(described(), 'redbox')).toEqual({
      name: 'redbox',
      subnets: ['172.18.0.0/16'],
      bridge: 'br-84ff2891f5ab',
    });
    const named = described({ Options: { 'com.docker.network.bridge.name': 'docker0' }, IPAM: { Config: null } });
    expect(readDockerNetwork(named, 'redbox')).toEqual({ name: 'redbox', subnets: [], bridge: 'docker0' });
  });

  const refused: readonly (readonly [string, string, new (message: string) => Error])[] = [
    ['a driver that passes no bridge', described({ Driver: 'macvlan' }), UsageError],
    ['another network', described({ Name: 'other' }), UsageError],
    ['a bridge that is no name', described({ Options: { 'com.docker.network.bridge.name': 'x" accept' } }), UsageError],
    ['an id that is none', described({ Id: '../../x' }), HostError],
    ['none', '[]', HostError],
    ['no JSON', '<html>', HostError],
    ['another form', '{"message":"x"}', HostError],
  ];
  it.each(refused)('is refused when it is %s', (_, text, kind) => {
    expect(() => readDockerNetwork(text, 'redbox')).toThrow(kind);
  });

  const answer = (code: number, stderr: string) => async () => ({
    code,
    signal: null,
    stdout: Buffer.from('[]\n'),
    stderr: Buffer.from(stderr),
    hasTimedOut: false,
    droppedBytes: 0,
  });

  it.each([
    ['Error response from daemon: network redbox not found\n', UsageError, 'there is no network redbox'],
    ['Error: No such network: redbox\n', UsageError, 'there is no network redbox'],
    ['Cannot connect to the Docker daemon\u001b[31m\n', HostError, 'Cannot connect to the Docker daemon\\x1b[31m'],
  ])('says why it cannot be had: %j', async (stderr, kind, message) => {
    const asking = inspectDockerNetwork('redbox', '/run/docker.sock', answer(1, stderr));
    await expect(asking).rejects.toThrow(kind);
    await expect(asking).rejects.toThrow(message);
  });

  it('is not asked for by a name that could be a flag, and docker may be missing', async () => {
    await expect(inspectDockerNetwork('--help', '/x', answer(0, ''))).rejects.toThrow(UsageError);
    const missing = () => Promise.reject(new HostError('cannot run docker'));
    await expect(inspectDockerNetwork('redbox', '/x', missing)).rejects.toMatchObject({ exitCode: 4 });
  });
});
