import { asArray, isObject } from '../../../../base/json-shape.ts';
import { textOf } from './contract.ts';

/** What kind of thing a rule of capa went by: text that lies there proves less than a call in code. */

export const capaEvidence = ['artifact', 'behavior', 'structural', 'linking'] as const;
export type CapaEvidence = (typeof capaEvidence)[number];

const byType: ReadonlyMap<string, CapaEvidence> = new Map(
  Object.entries({
    string: 'artifact',
    substring: 'artifact',
    regex: 'artifact',
    bytes: 'artifact',
    api: 'behavior',
    mnemonic: 'behavior',
    number: 'behavior',
    offset: 'behavior',
    property: 'behavior',
    section: 'structural',
    export: 'structural',
    class: 'structural',
    namespace: 'structural',
    'function-name': 'structural',
    import: 'linking',
  } as const),
);

const structuralCharacteristics = new Set(['embedded pe', 'mixed mode', 'forwarded export']);

export interface FeatureSummary {
  readonly types: readonly CapaEvidence[];
  /** `api: CreateRemoteThread`: words of the rule, or text of the sample that it matched. */
  readonly features: readonly string[];
}

function typeOf(feature: Record<string, unknown>): CapaEvidence | undefined {
  const type = textOf(feature.type);
  if (type === 'characteristic') {
    return structuralCharacteristics.has(textOf(feature.characteristic)) ? 'structural' : 'behavior';
  }
  return type.startsWith('operand') ? 'behavior' : byType.get(type);
}

function describe(feature: Record<string, unknown>): string {
  const type = textOf(feature.type);
  const value = feature[type] ?? feature[type.replace(/^operand\[\d+\]\./, 'operand_')];
  const shown = typeof value === 'number' ? `0x${value.toString(16)}` : textOf(value);
  return shown === '' ? type : `${type}: ${shown}`;
}

/** Walks only what matched: a branch that failed says nothing, and what a `not` holds was absent. */
export function summariseMatches(matches: readonly unknown[], budget: { left: number }): FeatureSummary {
  const types = new Set<CapaEvidence>();
  const features = new Set<string>();
  const open: unknown[] = matches.map((match) => (Array.isArray(match) ? match[1] : match));
  for (let next = open.pop(); next !== undefined && budget.left > 0; next = open.pop()) {
    budget.left -= 1;
    if (!isObject(next) || next.success !== true) continue;
    const node = isObject(next.node) ? next.node : {};
    const statement = isObject(node.statement) ? textOf(node.statement.type) : '';
    if (statement === 'not') continue;
    const feature = isObject(node.feature) ? node.feature : undefined;
    if (feature !== undefined) {
      const type = typeOf(feature);
      if (type !== undefined) types.add(type);
      if (type !== undefined && features.size < 20) features.add(describe(feature));
    }
    for (const child of asArray(next.children)) open.push(child);
  }
  return { types: capaEvidence.filter((type) => types.has(type)), features: [...features] };
}

/** Where no feature decides, the place in the tree of rules does. */
export function typeByNamespace(namespace: string): CapaEvidence | undefined {
  if (namespace.startsWith('linking/')) return 'linking';
  return namespace.startsWith('executable/') ? 'structural' : undefined;
}
