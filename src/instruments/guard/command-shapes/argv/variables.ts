import { programById, shapeRules } from '../rules.ts';
import { readWords } from './read-options.ts';

/** Variables that make a loader, a shell or an interpreter run something else. */

export type VariableVerdict = 'harmful' | 'noted' | 'fine';

const longestTested = 4096;

/** `NODE_OPTIONS=--max-old-space-size=4096` is fine, `NODE_OPTIONS=--require=/tmp/x.js` is not. */
function hasHarmfulOption(program: string, value: string): boolean {
  const row = programById(program);
  if (row === undefined) return true;
  const words = value.split(/\s+/).filter((word) => word !== '');
  const { options } = readWords({ ...row, mixes: true, ends: [] }, words);
  return options.some(({ name, value: given }) =>
    row.hits.some(
      (hit) =>
        hit.options.includes(name) &&
        (hit.value === undefined || new RegExp(hit.value, 'su').test((given ?? '').toLowerCase())),
    ),
  );
}

/** `name=value`, as it stands before a command. */
export function judgeVariable(assignment: string): VariableVerdict {
  const equals = assignment.indexOf('=');
  if (equals <= 0) return 'fine';
  const name = assignment.slice(0, equals).replace(/\+$/, '').toLowerCase();
  const value = assignment.slice(equals + 1, equals + 1 + longestTested);
  const row = shapeRules.variables.find((each) => new RegExp(each.name, 'u').test(name));
  if (row === undefined) return 'fine';
  if (row.reads !== undefined && !hasHarmfulOption(row.reads, value)) return 'fine';
  if (row.value !== undefined && !new RegExp(row.value, 'u').test(value.toLowerCase())) return 'fine';
  if (value.trim() === '' && row.isNote === false && name !== 'ifs') return 'fine';
  return row.isNote ? 'noted' : 'harmful';
}
