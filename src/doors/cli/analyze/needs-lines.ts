import type { Analysis } from '../../../base/analysis-schema.ts';
import type { Access, Policy } from '../../../base/policy-schema.ts';
import { renderRows, type Terminal } from '../terminal/index.ts';
import { safe } from './safe.ts';

/** What it proved to need, and what it tried and should not have. */

const shown = 6;

/** Lines that come with every box have no evidence; what the run asked for has. */
function proven<T extends { readonly seenIn?: readonly string[] | undefined }>(rules: readonly T[]): readonly T[] {
  return rules.filter(({ seenIn }) => seenIn !== undefined && seenIn.length > 0);
}

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length - shown;
  return `${names.slice(0, shown).map(safe).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function paths({ files }: Policy, access: Access): readonly string[] {
  return [
    ...new Set(
      proven(files)
        .filter((rule) => rule.access === access)
        .map(({ path }) => path),
    ),
  ];
}

function needRows(policy: Policy, { style }: Terminal): readonly (readonly string[])[] {
  const hosts = proven(policy.network.rules).map(({ host, port }) => `${host}:${port}`);
  const variables = proven(policy.environment).map(({ name }) => name);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['reads', paths(policy, 'read')],
    ['writes', paths(policy, 'write')],
    ['programs', paths(policy, 'execute')],
    ['hosts', hosts],
    ['variables', variables],
  ];
  return rows.map(([title, names]) => [style.strong(title), list(names)]);
}

export function renderNeeds({ policy, refused }: Analysis, terminal: Terminal): string {
  const { style, width } = terminal;
  if (policy === null) return '';
  const no = refused.slice(0, shown).map(({ what, why }) => [style.bad('refused'), `${safe(what)}: ${safe(why)}`]);
  const more = refused.length > shown ? [['', style.faint(`and ${refused.length - shown} more`)]] : [];
  return `${style.strong('What it needs')}\n${renderRows([...needRows(policy, terminal), ...no, ...more], { width })}`;
}
