import { type Axis, axes, type EvidenceClass, evidenceClasses, type Finding } from '../base/finding-schema.ts';
import { worstFirst } from '../base/report-schema.ts';
import type { Coverage, Verdict } from '../base/verdict-schema.ts';
import type { Rubric } from './rubric.ts';

/** From findings to a verdict, read off the rubric: the highest class on an axis decides, and nothing is added up. */

type Scored = Exclude<EvidenceClass, 'U'>;

const mostNamed = 10;
const mostRecommendations = 20;

function isScored(finding: Finding): finding is Finding & { readonly evidenceClass: Scored } {
  return finding.evidenceClass !== 'U';
}

/** What is only for information decides nothing. */
function weighs({ severity }: Finding): boolean {
  return severity !== 'info';
}

function judgeAxis(
  axis: Axis,
  findings: readonly Finding[],
  isComplete: boolean,
  rubric: Rubric,
): Verdict['axes'][Axis] {
  const own = findings.filter((finding) => finding.axis === axis && weighs(finding)).filter(isScored);
  const best = evidenceClasses.find((each) => own.some(({ evidenceClass }) => evidenceClass === each));
  // Proof and observation stand whatever else is unknown; hints and silence do not.
  const isFirm = best === 'A' || best === 'B';
  if (!isComplete && !isFirm) {
    return {
      label: rubric.unknown,
      because: worstFirst(own)
        .slice(0, mostNamed)
        .map(({ id }) => id),
    };
  }
  if (best === undefined || best === 'U') return { label: rubric.labels[axis].none, because: [] };
  const deciding = worstFirst(own.filter(({ evidenceClass }) => evidenceClass === best));
  return { label: rubric.labels[axis][best], because: deciding.slice(0, mostNamed).map(({ id }) => id) };
}

function riskOf(findings: readonly Finding[], isComplete: boolean, rubric: Rubric): number | null {
  const scored = findings.filter(weighs).filter(isScored);
  const risk = Math.max(0, ...scored.map(({ evidenceClass, severity }) => rubric.scores[evidenceClass][severity]));
  const isFirm = scored.some(({ evidenceClass }) => evidenceClass === 'A' || evidenceClass === 'B');
  return isComplete || isFirm ? risk : null;
}

function bandOf(risk: number | null, { fails, warns }: Rubric): Verdict['band'] {
  if (risk === null) return 'unknown';
  return risk > fails ? 'fails' : risk > warns ? 'warns' : 'passes';
}

/** One sentence per remedy, with the findings that it answers. */
function recommend(findings: readonly Finding[]): Verdict['recommendations'] {
  const byRemedy = Map.groupBy(worstFirst(findings.filter(weighs)), ({ remediation }) => remediation);
  return [...byRemedy]
    .slice(0, mostRecommendations)
    .map(([text, answered]) => ({ text, answers: answered.slice(0, mostNamed).map(({ id }) => id) }));
}

/** `unknownAxes`: those of which something that was wanted could not be looked at, although the rest is whole. */
export function judge(
  findings: readonly Finding[],
  coverage: Coverage,
  isComplete: boolean,
  rubric: Rubric,
  unknownAxes: readonly Axis[] = [],
): Verdict {
  const risk = riskOf(findings, isComplete, rubric);
  return {
    rubric: `hotcell/${rubric.version}`,
    axes: Object.fromEntries(
      axes.map((axis) => [axis, judgeAxis(axis, findings, isComplete && !unknownAxes.includes(axis), rubric)]),
    ) as Verdict['axes'],
    risk,
    band: bandOf(risk, rubric),
    coverage,
    isComplete,
    recommendations: recommend(findings),
  };
}
