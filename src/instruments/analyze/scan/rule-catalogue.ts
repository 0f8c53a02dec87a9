import type { RuleText } from '../../../evidence/rule-text.ts';
import type { Rule } from '../inspect/rule.ts';
import { inspectRules } from '../inspect/rules.ts';
import { notAnalysedRule, taintExamples, taintRules } from '../inspect/taint/rules.ts';
import { httpRules } from '../interrogate/http-checks/index.ts';
import { listingRules } from '../interrogate/listings/index.ts';
import { resourceRules } from '../interrogate/resources/index.ts';
import { resultRules } from '../interrogate/results/index.ts';
import { behaviourRules } from '../judge/index.ts';
import { archiveRules } from './archive-findings.ts';

/** Every rule, as it is explained. */

function shown(example: unknown): string {
  if (typeof example === 'string') return example;
  return example === undefined ? '' : JSON.stringify(example, null, 2);
}

function textOf(rule: Rule): RuleText {
  return { ...rule, fires: shown(rule.fires), silent: shown(rule.silent) };
}

/** Those about what a server does, and how it answers. */
const observedRules: readonly RuleText[] = [
  ...behaviourRules,
  ...listingRules,
  ...[...Object.values(httpRules), ...Object.values(resourceRules), ...Object.values(resultRules)].map(textOf),
];

export function ruleCatalogue(): readonly RuleText[] {
  const taint = Object.values(taintRules).map((rule) => ({ ...textOf(rule), ...(taintExamples[rule.id] ?? {}) }));
  const others: readonly Rule[] = [...Object.values(archiveRules), ...inspectRules, notAnalysedRule];
  return [...taint, ...others.map(textOf), ...observedRules].toSorted((left, right) => left.id.localeCompare(right.id));
}
