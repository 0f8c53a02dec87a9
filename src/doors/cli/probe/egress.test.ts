import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HostError, UsageError } from '../../../base/errors.ts';
import { openSampleDoor } from '../analyze/sample-door.ts';
import { egressCommand } from './egress-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-egress-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const authorization = { by: 'the owner', reference: 'letter 7' };
const scopes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'scope.json': { targets: ['203.0.113.5', '10.20.0.0/16'], ports: [443], authorization },
  'expired.json': { targets: ['203.0.113.5'], expires: '2020-01-01T00:00:00Z', authorization },
};
for (const [name, scope] of Object.entries(scopes)) writeFileSync(join(folder, name), JSON.stringify(scope));

/** As a user without rights, on a machine without an engine. */
async function run(options: Readonly<Record<string, unknown>>, environment: Readonly<Record<string, string>> = {}) {
  const dockerSocket = join(folder, 'no-engine.sock');
  const sample = await openSampleDoor({ folder, home: folder, environment });
  const { settings } = sample.door;
  const door = { ...sample.door, settings: { ...settings, values: { ...settings.values, dockerSocket } } };
  const code = await egressCommand.run?.(options, [], door);
  return { code, out: sample.stdout(), err: sample.stderr() };
}

const subnet = ['172.28.0.0/24'];

describe('hotcell probe egress', () => {
  it('prints the rules without root and without an engine', async () => {
    const { code, out, err } = await run({ subnet, bridge: 'br-x', scope: 'scope.json', dryRun: true, with: 'nft' });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^add table inet hotcell_egress_172_28_0_0_24_[0-9a-f]{12}\n/);
    expect(out).toContain('elements = { 10.20.0.0/16, 203.0.113.5 }\n');
    expect(out).toContain('elements = { 443 }\n');
  });

  it('takes the scope from the environment, and says what is not held without a bridge', async () => {
    const { out, err } = await run({ subnet, dryRun: true, with: 'iptables' }, { HOTCELL_PROBE_SCOPE: 'scope.json' });
    expect(out).toMatch(/^# iptables-restore --noflush\n\*filter\n/);
    expect(out.match(/^COMMIT$/gm)).toHaveLength(2);
    expect(err).toContain('link-local IPv6');
  });

  const dry = { scope: 'scope.json', dryRun: true };
  const refused: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
    ['neither network nor subnet', dry, /needs either --network or --subnet/],
    ['both', { ...dry, network: 'redbox', subnet }, /needs either/],
    ['a bridge beside a network', { ...dry, network: 'redbox', bridge: 'br-x' }, /--bridge goes with --subnet/],
    ['a network that is a flag', { ...dry, network: '--help' }, /no name of a network/],
    ['a subnet that is everything', { ...dry, subnet: ['0.0.0.0/0'] }, /no subnet of containers/],
    ['a resolver that is a name', { ...dry, subnet, dnsResolver: ['dns.example'] }, /no address of a resolver/],
    ['another program', { ...dry, subnet, with: 'ufw' }, /--with: expected nft or iptables, not ufw/],
    ['too many subnets', { ...dry, subnet: Array.from({ length: 99 }, (_, at) => `10.${at}.0.0/16`) }, /99 subnets/],
    ['no scope', { dryRun: true, subnet }, /there is no scope/],
    ['a scope that is not there', { dryRun: true, subnet, scope: 'none.json' }, /cannot read the scope/],
    ['a scope that has expired', { dryRun: true, subnet, scope: 'expired.json' }, /expired at 2020/],
    ['removing and printing', { ...dry, subnet, down: true }, /--down has nothing to print/],
  ];
  it.each(refused)('refuses %s', async (_, options, message) => {
    const running = run(options);
    await expect(running).rejects.toThrow(UsageError);
    await expect(running).rejects.toThrow(message);
  });

  it.each([
    ['setting', { subnet, scope: 'scope.json' }],
    ['removing', { subnet, down: true }],
  ])('needs root for %s', async (_, options) => {
    const running = run(options);
    await expect(running).rejects.toThrow(HostError);
    await expect(running).rejects.toMatchObject({ exitCode: 4, hint: expect.stringContaining('root') });
  });

  it('cannot ask an engine that is not there', async () => {
    await expect(run({ ...dry, network: 'redbox' })).rejects.toMatchObject({
      exitCode: 4,
      hint: expect.stringContaining('--subnet'),
    });
  });
});
