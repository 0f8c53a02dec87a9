import { asObject, asString, isObject } from '../../../base/json-shape.ts';
import type { Parsed, ScanFinding, ScanOutput } from '../contract.ts';
import { beginningOf, boundedText, boundedTexts, gather, parserLimits } from './bounds.ts';
import { readJson } from './json.ts';
import { linesOf } from './lines.ts';

/** nuclei writes a line of JSON for each match as soon as it has it, so only the last line of one that was stopped is cut. */

const severities = new Set(['info', 'low', 'medium', 'high', 'critical']);
const mostItems = 20;

function findingOf(value: unknown): ScanFinding | null {
  if (!isObject(value) || !isObject(value.info)) return null;
  const { info } = value;
  const template = boundedText(value['template-id'], 200);
  if (template === null) return null;
  const classification = asObject(info.classification);
  const severity = asString(info.severity)?.toLowerCase() ?? '';
  return {
    template_id: template,
    name: boundedText(info.name),
    severity: severities.has(severity) ? severity : 'unknown',
    matched_at: boundedText(value['matched-at'] ?? value.matched ?? value.host, 2048),
    type: boundedText(value.type, 32),
    matcher_name: boundedText(value['matcher-name'], 200),
    description: boundedText(info.description),
    remediation: boundedText(info.remediation),
    extracted: boundedTexts(value['extracted-results'], mostItems, 200),
    tags: boundedTexts(info.tags, mostItems, 64),
    cve: boundedTexts(classification['cve-id'], mostItems, 32),
    cwe: boundedTexts(classification['cwe-id'], mostItems, 32),
  };
}

/** What nuclei says when it cannot, and what it means for the reader. */
const endings: readonly (readonly [says: string, means: string])[] = [
  ['no templates provided for scan', 'nuclei found no template that fits the preset and the severity'],
  ['unresponsive', 'nuclei gave up on the target: it did not answer too often'],
  ['flag provided but not defined', 'nuclei did not start: it does not take one of its arguments'],
  ['Could not create runner', 'nuclei did not start'],
];

export function parseNuclei({ stdout, stderr }: Pick<ScanOutput, 'stdout' | 'stderr'>): Parsed {
  const gathering = gather();
  const { text, isAll } = beginningOf(stdout);
  if (!isAll) gathering.note('only the beginning of the output of nuclei was read');
  let broken = 0;
  for (const line of linesOf(text)) {
    const finding = line?.startsWith('{') ? findingOf(readJson(line)) : null;
    if (finding === null) {
      broken += 1;
      gathering.broken('lines of nuclei that are no match');
    }
    const isEnough = finding !== null && !gathering.add(finding);
    if (isEnough || broken > parserLimits.broken) break;
  }
  const said = beginningOf(stderr).text;
  for (const [says, means] of endings) if (said.includes(says)) gathering.note(means);
  return gathering.parsed();
}
