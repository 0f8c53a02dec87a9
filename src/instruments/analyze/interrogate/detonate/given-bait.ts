import { type Canary, createRandom, mintCanary, type Vendor, vendors } from '../../../../engine/decoy/index.ts';

/** Bait for variables that a server asks for: it is handed over, and recognised wherever it turns up. */

const mostGiven = 40;
const generic = /key|token|secret|password|credential|auth/i;

function vendorFor(name: string): Vendor | undefined {
  const lower = name.toLowerCase();
  return vendors.find(({ id }) => lower.includes(id.split('-')[0] ?? id)) ?? vendors[0];
}

export function mintGiven(name: string, seed: string): Canary {
  const random = createRandom(`${seed}\nbait\n${name}`);
  const vendor = vendorFor(name) ?? {
    id: 'token',
    title: 'a token',
    kind: 'service',
    make: (chance) => ({ token: chance.bytes(24).toString('hex') }),
  };
  return mintCanary(vendor, random, `variable ${name}`);
}

/** Before there is a cell, for those names that look as if they wanted a secret. */
export function mintAllGiven(names: readonly string[], seed: string): ReadonlyMap<string, Canary> {
  const secret = names.filter((name) => generic.test(name)).slice(0, mostGiven);
  return new Map(secret.map((name) => [name.toUpperCase(), mintGiven(name, seed)]));
}
