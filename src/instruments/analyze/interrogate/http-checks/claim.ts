import type { Evidence, EvidenceClass, Finding, Severity } from '../../../../base/finding-schema.ts';
import type { RuleText } from '../../../../evidence/rule-text.ts';
import { makeFinding } from '../../inspect/rule.ts';
import type { Bench } from './bench.ts';

export interface Shown {
  readonly evidenceClass: EvidenceClass;
  readonly evidence: readonly Evidence[];
  readonly severity?: Severity;
  readonly title?: string;
}

/** A finding about the endpoint that is checked: of one rule there is one per endpoint. */
export function claim({ target }: Bench, rule: RuleText, { evidence, ...more }: Shown): Finding {
  return makeFinding(rule, { identity: [target.endpoint.path], evidence, ...more });
}

export const nothing = { findings: [] } as const;

export const notChecked = (because: string) => ({ findings: [], notChecked: because });

export const because = {
  credential: 'it wants a credential, and this is asked without one',
  unserved: 'it does not serve a plain client',
  modern: 'it speaks a version in which there is nothing of the kind',
  public: 'it is on a public address, which a web page reaches without any trick',
  otherForm: 'it speaks the older form with a stream of events, where this has no meaning',
  noSession: 'it gives out no session ids',
} as const;
