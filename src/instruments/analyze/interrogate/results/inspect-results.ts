import { evidenceClasses, type Finding, severities } from '../../../../base/finding-schema.ts';
import { readPhrases } from '../../../../targets/wording/phrases.ts';
import { inspectResultCharacters } from './characters.ts';
import type { InspectedCall, ResultInspector, ResultOptions } from './contract.ts';
import { textsIn } from './given-text.ts';
import { inspectInstructions } from './instructions.ts';
import { inspectMarkup } from './markup.ts';
import { inspectOutput } from './schema.ts';
import { inspectSecretsInResults } from './secrets.ts';

const mostCalls = 5000;
/** Of all texts together; the same text is looked at once. */
const mostCharacters = 8 * 1024 * 1024;

function freshLines(text: string, seen: Set<string>): string {
  const fresh = text.split('\n').filter((line) => !seen.has(line));
  for (const line of fresh) seen.add(line);
  return fresh.join('\n');
}

function weightOf({ evidenceClass, severity }: Finding): number {
  return severities.indexOf(severity) - evidenceClasses.indexOf(evidenceClass) * severities.length;
}

/** Of the same claim about the same tool, the gravest. */
function gravest(findings: readonly Finding[]): readonly Finding[] {
  const kept = new Map<string, Finding>();
  for (const finding of findings) {
    const before = kept.get(finding.id);
    if (before === undefined || weightOf(finding) > weightOf(before)) kept.set(finding.id, finding);
  }
  return [...kept.values()];
}

/**
 * `calls` in the order in which they were made; `known` is what the world holds and tools may pass on: texts of planted
 * files, of pages, of names. What we sent in earlier calls may come back later, and counts as given too.
 */
export function inspectResults(
  calls: readonly InspectedCall[],
  known: readonly string[],
  { tools = [], secrets = [], planted = [] }: ResultOptions = {},
): readonly Finding[] {
  const perText: readonly ResultInspector[] = [
    inspectInstructions(readPhrases(), planted),
    inspectResultCharacters,
    inspectSecretsInResults(secrets),
  ];
  const perCall: readonly ResultInspector[] = [inspectMarkup, inspectOutput(tools)];
  const sent: string[] = [];
  const seen = new Set<string>();
  const lines = new Map<string, Set<string>>();
  const findings: Finding[] = [];
  let left = mostCharacters;
  for (const call of calls.slice(0, mostCalls)) {
    sent.push(...textsIn(call.input));
    const text = Buffer.from(call.result.text.bytes).toString('utf8');
    const looked = { ...call, text, freshText: '', given: () => [...new Set([...known, ...sent])] };
    findings.push(...perCall.flatMap((inspect) => inspect(looked)));
    const key = `${call.tool}\n${call.isTrial}\n${text}`;
    if (text === '' || left < 0 || seen.has(key)) continue;
    seen.add(key);
    left -= text.length;
    const ofTool = lines.get(call.tool) ?? new Set();
    lines.set(call.tool, ofTool);
    const freshText = freshLines(text, ofTool);
    findings.push(...perText.flatMap((inspect) => inspect({ ...looked, freshText })));
  }
  return gravest(findings);
}
