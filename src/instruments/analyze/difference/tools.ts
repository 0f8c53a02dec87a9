import type { AnalysedTool, Analysis, ListingComparison } from '../../../base/analysis-schema.ts';
import { canonicalJson } from '../../../base/fingerprint.ts';
import { lineDifference } from '../../../targets/listings/line-difference.ts';
import type { RunDifference } from './contract.ts';
import { asText, byKey, cut, keyOf, type LeaveOut, onlyIn } from './lists.ts';

/** Tools that came, went, or are described and behave differently. */

type Tools = RunDifference['tools'];
type Field = Tools['changed'][number]['fields'][number];

const fields: readonly (readonly [Field, (tool: AnalysedTool) => string])[] = [
  ['description', ({ description }) => (description === undefined ? '' : asText(description))],
  ['annotations', ({ annotations }) => canonicalJson(annotations)],
  ['observed', ({ observed }) => observed.toSorted().join('\n')],
  ['contradicted', ({ contradicted }) => contradicted.toSorted().join('\n')],
];

const mostLines = 400;

function compareTool(before: AnalysedTool, after: AnalysedTool): Tools['changed'] {
  const differing = fields.filter(([, read]) => read(before) !== read(after));
  if (differing.length === 0) return [];
  const lines = differing.flatMap(([field, read]): ListingComparison['difference'] => [
    { is: 'same', text: { text: `${field}:` } },
    ...lineDifference(read(before), read(after), mostLines / fields.length - 1),
  ]);
  return [{ name: after.name, fields: differing.map(([field]) => field), difference: lines.slice(0, mostLines) }];
}

export function compareTools(pair: readonly [Analysis, Analysis] | null, leaveOut: LeaveOut): Tools {
  if (pair === null) return { added: [], removed: [], changed: [] };
  const [before, after] = pair.map(({ tools }) => byKey(tools, ({ name }) => keyOf(name)));
  if (before === undefined || after === undefined) return { added: [], removed: [], changed: [] };
  const named = ({ name }: AnalysedTool): { name: AnalysedTool['name'] } => ({ name });
  const changed = [...after.keys()].toSorted().flatMap((key) => {
    const [first, second] = [before.get(key), after.get(key)];
    return first === undefined || second === undefined ? [] : compareTool(first, second);
  });
  return {
    added: cut(onlyIn(before, after).map(named), 'tools.added', leaveOut),
    removed: cut(onlyIn(after, before).map(named), 'tools.removed', leaveOut),
    changed: cut(changed, 'tools.changed', leaveOut),
  };
}
