import type { Vendor } from '../canary.ts';
import { makeUuid } from '../uuid.ts';

/** Version 2, and the location of the index as its first field: what every such token begins with. */
const head = Buffer.from('AgEIcHlwaS5vcmc', 'base64');
const needleCharacters = 56;

/** One field of a macaroon: type, length, content. */
function field(type: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([type, content.length]), content]);
}

/** `pypi-` and a macaroon with an id, one caveat on the user, and a signature. */
export const pypiToken: Vendor = {
  id: 'pypi-token',
  title: 'PyPI API token',
  kind: 'code',
  make: (random) => {
    const [id, user] = [makeUuid(random), makeUuid(random)];
    const end = Buffer.from([0]);
    const macaroon = Buffer.concat([
      head,
      field(2, Buffer.from(id)),
      end,
      field(2, Buffer.from(`[3,"${user}"]`)),
      end,
      end,
      field(6, random.bytes(32)),
    ]);
    const token = `pypi-${macaroon.toString('base64url')}`;
    return { token, needles: [Buffer.from(token.slice(-needleCharacters))] };
  },
};
