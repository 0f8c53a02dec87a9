import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowsConnection, tierPolicy } from '../../policy/index.ts';
import { canonicalAddress } from '../addresses.ts';
import { labelsOf, recordTypes } from '../dns/message.ts';
import { FakeNames } from '../fake-names.ts';
import { effectiveHost } from './effective-host.ts';
import { coversName, GateResolver } from './gate-names.ts';

const policyFor = (hosts: readonly string[]) => ({
  ...tierPolicy('LOW'),
  network: { mode: 'allowlist' as const, rules: hosts.map((host) => ({ host, port: '*' as const })) },
});

const label = fc.constantFrom('a', 'b', 'ab', 'xn--bcher-kva', '1', '127');
const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
const ruleHost = fc.oneof(
  name,
  name.map((each) => `.${each}`),
  fc.constantFrom('*', '10.0.0.1', '::1'),
);

describe('coversName', () => {
  it('says the same as the policy does', () => {
    fc.assert(
      fc.property(fc.array(ruleHost, { maxLength: 4 }), fc.oneof(name, fc.ipV4(), fc.string()), (hosts, asked) => {
        const host = effectiveHost(asked);
        const expected = host !== null && allowsConnection(policyFor(hosts), host, 443);
        expect(coversName(new Set(hosts.map(canonicalAddress)), asked)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('GateResolver', () => {
  const names = new FakeNames('seed', { '198.18.0.9': '198.18.0.9' });
  const resolver = new GateResolver(names, ['api.example', '.wide.example', '198.18.0.9']);
  const ask = (text: string, type: number) => resolver.resolve({ labels: labelsOf(text), type, class: 1 });

  it.each([
    ['api.example', recordTypes.A, 0, 1],
    ['API.EXAMPLE', recordTypes.AAAA, 0, 1],
    ['x.wide.example', recordTypes.A, 0, 1],
    ['api.example', recordTypes.TXT, 0, 0],
    ['api.example', 65, 0, 0],
    ['other.example', recordTypes.A, 3, 0],
    ['other.example', recordTypes.TXT, 3, 0],
    ['', recordTypes.A, 3, 0],
    ['1.0.0.10.in-addr.arpa', recordTypes.PTR, 3, 0],
    ['9.0.18.198.in-addr.arpa', recordTypes.PTR, 3, 0],
  ])('%j type %i: code %i, %i records', (text, type, code, records) => {
    const answer = ask(text, type);
    expect([answer.code, answer.records.length]).toEqual([code, records]);
  });

  it('takes an address back to its name', () => {
    const { ipv4 } = names.addressesOf('api.example');
    const reverse = `${ipv4.split('.').toReversed().join('.')}.in-addr.arpa`;
    expect(ask(reverse, recordTypes.PTR).records[0]?.data.toString('latin1')).toBe('\x03api\x07example\0');
  });

  it('goes by other hosts once they are set, and makes up no address that one of them is', () => {
    const own = new FakeNames('seed');
    const changing = new GateResolver(own, ['old.example']);
    const codeOf = (text: string) => changing.resolve({ labels: labelsOf(text), type: recordTypes.A, class: 1 }).code;
    expect([codeOf('old.example'), codeOf('new.example')]).toEqual([0, 3]);
    const { ipv4 } = own.addressesOf('old.example');
    changing.setHosts(['new.example', ipv4]);
    expect([codeOf('old.example'), codeOf('new.example')]).toEqual([3, 0]);
    expect(own.nameOf(ipv4)).toBe(ipv4);
  });
});
