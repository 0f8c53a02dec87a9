import { asArray, asObject } from '../../../../base/json-shape.ts';
import type { CallResult } from '../../../../targets/conversation/contract.ts';

/** Addresses that stand beside those that are offered: `note://17` offered, `note://18` not. */

export interface Neighbour {
  readonly of: string;
  readonly uri: string;
  /** In the same form, and surely nothing: a server that answers this too answers everything. */
  readonly control: string;
}

const numbered = /^(.*?[^0-9])([0-9]{1,12})([^0-9]{0,40})$/s;
const mostNeighbours = 3;

export function neighboursOf(uris: readonly string[]): readonly Neighbour[] {
  const listed = new Set(uris);
  const found: Neighbour[] = [];
  for (const uri of uris.slice(0, 200)) {
    const [, before, digits = '', after] = numbered.exec(uri.slice(0, 2048)) ?? [];
    if (before === undefined || found.some((each) => each.of.startsWith(before))) continue;
    const number = Number(digits);
    const beside = [number + 1, number - 1]
      .filter((each) => each >= 0)
      .map((each) => `${before}${String(each).padStart(digits.length, '0')}${after}`)
      .find((each) => !listed.has(each));
    if (beside !== undefined) found.push({ of: uri, uri: beside, control: `${before}987654321098${after}` });
    if (found.length >= mostNeighbours) break;
  }
  return found;
}

export function hasContents({ outcome, raw }: CallResult): boolean {
  return outcome === 'answered' && asArray(asObject(raw).contents).length > 0;
}
