import { asArray, isObject } from '../../../../base/json-shape.ts';
import type { EvidenceType, LabFinding } from '../../contract.ts';
import { type CapaEvidence, summariseMatches, typeByNamespace } from './capa-features.ts';
import {
  evidenceOf,
  listed,
  mostFindings,
  nothingParsed,
  type ParsedOutput,
  plainName,
  readJson,
  type ToolParser,
  textOf,
} from './contract.ts';

/** Nodes of match trees that are looked at in one document. */
const mostNodes = 2_000_000;

function idsOf(meta: Record<string, unknown>, name: 'attack' | 'mbc', form: RegExp): readonly string[] {
  const ids = asArray(meta[name]).map((item) => (isObject(item) ? textOf(item.id) : ''));
  return [...new Set(ids.filter((id) => form.test(id)))].slice(0, 20);
}

function evidenceType(types: readonly CapaEvidence[]): EvidenceType {
  if (types.includes('behavior')) return 'behaviour';
  return types.length > 0 && types.every((type) => type === 'artifact') ? 'artifact' : 'structural';
}

function slug(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 80) || 'unnamed'
  );
}

interface Rule {
  readonly name: string;
  readonly namespace: string;
  readonly types: readonly CapaEvidence[];
  readonly finding: LabFinding;
}

function readRule(key: string, value: unknown, budget: { left: number }): Rule | undefined {
  const rule = isObject(value) ? value : {};
  const meta = isObject(rule.meta) ? rule.meta : {};
  // Library rules are parts of others; rules that are only there to be used by others say nothing alone.
  if (meta.lib === true || meta.is_subscope_rule === true || meta['is-subscope-rule'] === true) return undefined;
  const name = plainName(textOf(meta.name) || key);
  const namespace = plainName(textOf(meta.namespace));
  const { types: matched, features } = summariseMatches(asArray(rule.matches), budget);
  const fallback = typeByNamespace(namespace);
  const types = matched.length > 0 ? matched : fallback === undefined ? [] : [fallback];
  const attack = idsOf(meta, 'attack', /^T\d{4}(?:\.\d{3})?$/);
  const mbc = idsOf(meta, 'mbc', /^[A-Z]{1,2}\d{4}(?:\.(?:\d{3}|m\d{2}))?$/);
  const finding: LabFinding = {
    rule: `capa.${slug(name)}`,
    title: `capa: ${name}`,
    severity: attack.length > 0 && types.includes('behavior') ? 'low' : 'info',
    evidenceType: evidenceType(types),
    evidence: evidenceOf(namespace === '' ? 'capa' : `capa ${namespace}`, features),
    benign: 'The rule describes what code can do. Much honest software does the same.',
    ...(attack.length > 0 ? { attack } : {}),
    ...(mbc.length > 0 ? { mbc } : {}),
  };
  return { name, namespace, types, finding };
}

function parse(text: string): ParsedOutput {
  const document = readJson(text);
  if (!isObject(document) || !isObject(document.rules)) {
    return { ...nothingParsed, notes: ['capa: the output is not a result document.'] };
  }
  const budget = { left: mostNodes };
  const entries = Object.entries(document.rules);
  const rules = entries.map(([key, value]) => readRule(key, value, budget)).filter((rule) => rule !== undefined);
  const isArtifactOnly = ({ types }: Rule): boolean => types.length > 0 && types.every((type) => type === 'artifact');
  const techniques = new Set(rules.flatMap(({ finding }) => finding.attack ?? []));
  const behaviours = new Set(rules.flatMap(({ finding }) => finding.mbc ?? []));
  const notes = [
    ...(budget.left > 0 ? [] : ['capa: matches were read in part; there are too many.']),
    ...(rules.length > mostFindings ? [`capa: ${mostFindings} of ${rules.length} rules are listed.`] : []),
  ];
  return {
    facts: {
      rule_count: rules.length,
      attack_techniques: listed([...techniques].toSorted()),
      mbc_behaviors: listed([...behaviours].toSorted()),
      behavior_capable: listed(
        rules.filter(({ types }) => types.includes('behavior')).map(({ name }) => name),
        60,
      ),
      artifact_only: listed(
        rules.filter(isArtifactOnly).map(({ name }) => name),
        60,
      ),
      evidence_types: Object.fromEntries(listed(rules).map(({ name, types }) => [name, types])),
    },
    findings: listed(
      rules.map(({ finding }) => finding),
      mostFindings,
    ),
    texts: [],
    notes,
  };
}

export const capaParser: ToolParser = { id: 'capa', parse };
