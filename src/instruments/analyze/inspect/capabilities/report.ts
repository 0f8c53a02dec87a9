import type { Finding, Location } from '../../../../base/finding-schema.ts';
import { type Claim, excerpt, makeFinding, type Rule } from '../rule.ts';
import type { Use } from './uses.ts';

export function locationOf(use: Use): Location {
  return { path: use.routine.file.path, line: use.line };
}

/** The same thing in the same function of the same file is one finding, wherever its line moves. */
export function findingAt(rule: Rule, use: Use, claim: Partial<Claim>): Finding {
  const { path } = use.routine.file;
  const around = use.routine.name === '' ? '' : ` in ${use.routine.name}`;
  return makeFinding(rule, {
    identity: [path, use.routine.name, use.via, claim.title ?? ''],
    locations: [locationOf(use)],
    evidence: [{ kind: 'source', ref: `${path}:${use.line}`, excerpt: excerpt(`${use.via}${around}`) }],
    ...claim,
  });
}
