import { isObject } from '../../../../base/json-shape.ts';
import type { HonestInput, World } from '../arguments/index.ts';
import { recordOf } from '../arguments/template.ts';
import { worldNames } from '../arguments/world.ts';
import type { Proposal } from './contract.ts';
import { honestNames } from './prompt.ts';

/** Honest inputs from what a model proposed, with things of this world where it left them open. */

const pattern = new RegExp(`\\{\\{(${honestNames.join('|')})\\}\\}`, 'g');

/** Null where something is wanted that this world does not have. */
function fill(value: unknown, names: Readonly<Record<string, string>>): { readonly value: unknown } | null {
  if (typeof value === 'string') {
    let isWhole = true;
    const filled = value.replace(pattern, (_, name: string) => {
      if (!Object.hasOwn(names, name)) isWhole = false;
      return names[name] ?? '';
    });
    return isWhole ? { value: filled } : null;
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => fill(item, names));
    return items.includes(null) ? null : { value: items.map((item) => item?.value) };
  }
  if (!isObject(value)) return { value };
  const entries = Object.entries(value).map(([key, item]) => [key, fill(item, names)] as const);
  if (entries.some(([, item]) => item === null)) return null;
  return { value: recordOf(entries.map(([key, item]) => [key, item?.value])) };
}

/** Called beside those of `honestInputs`. */
export function proposedInputs(proposals: readonly Proposal[], tool: string, world: World): readonly HonestInput[] {
  const names = worldNames(world);
  return proposals
    .filter((proposal) => proposal.tool === tool)
    .flatMap(({ honest }) => honest)
    .flatMap((input): HonestInput[] => {
      const filled = fill(input, names)?.value;
      return isObject(filled) ? [{ input: filled, kind: 'everything', isGuessed: false }] : [];
    });
}
