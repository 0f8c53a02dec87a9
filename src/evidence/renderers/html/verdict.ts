import type { Analysis } from '../../../base/analysis-schema.ts';
import { type Axis, axes, type EvidenceClass, evidenceClasses, type Finding } from '../../../base/finding-schema.ts';
import type { Subject } from '../../../base/report-schema.ts';
import type { Verdict } from '../../../base/verdict-schema.ts';
import type { Rubric } from '../../rubric.ts';
import { coverageBlock } from './coverage.ts';
import { findingAnchor } from './findings.ts';
import { gauge } from './gauge.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';
import { chip, fold } from './pieces.ts';
import { classTones, classWords, type Tone } from './tones.ts';

/** What somebody sees in the first three seconds. */

const questions: Readonly<Record<Axis, string>> = {
  hostility: 'Does it do harm by itself?',
  weakness: 'Can input make it do harm?',
  exposure: 'What is known against it?',
};

const bandWords: Readonly<Record<Verdict['band'], string>> = {
  fails: 'Fails',
  warns: 'Warns',
  passes: 'Passes',
  unknown: 'Inconclusive',
};

const bandTones: Readonly<Record<Verdict['band'], Tone>> = {
  fails: 'critical',
  warns: 'medium',
  passes: 'good',
  unknown: 'unknown',
};

/** Whatever is not whole is never shown as good. */
export function toneOfVerdict({ band, isComplete }: Verdict): Tone {
  return band === 'passes' && !isComplete ? 'unknown' : bandTones[band];
}

interface AxisLook {
  readonly tone: Tone;
  readonly evidenceClass: EvidenceClass | null;
  readonly deciding: readonly Finding[];
}

/** One axis may be unknown although the rest is whole; its label says so. */
function lookAt(verdict: Verdict, axis: Axis, findings: readonly Finding[], { unknown }: Rubric): AxisLook {
  const ids = new Set(verdict.axes[axis].because);
  const deciding = findings.filter(({ id }) => ids.has(id));
  const evidenceClass =
    evidenceClasses.find((each) => deciding.some((finding) => finding.evidenceClass === each)) ?? null;
  const isFirm = evidenceClass === 'A' || evidenceClass === 'B';
  const isUnknown = verdict.axes[axis].label === unknown || (!verdict.isComplete && !isFirm);
  if (isUnknown) return { tone: 'unknown', evidenceClass, deciding };
  return { tone: evidenceClass === null ? 'good' : classTones[evidenceClass], evidenceClass, deciding };
}

function drawAxis(axis: Axis, { findings }: Subject, verdict: Verdict, prefix: string, rubric: Rubric): Markup {
  const { tone, evidenceClass, deciding } = lookAt(verdict, axis, findings, rubric);
  const [first] = deciding;
  const badge =
    evidenceClass === null
      ? nothing
      : markup`<span class="class ${classTones[evidenceClass]}">${evidenceClass}<small>${classWords[evidenceClass]}</small></span>`;
  const more = deciding.length > 1 ? ` and ${deciding.length - 1} more` : '';
  const reason =
    first === undefined
      ? nothing
      : markup`<p><a href="#${findingAnchor(prefix, first.id)}">${first.title}</a>${more}</p>`;
  return markup`<div class="axis ${tone}"><div class="name"><b>${axis}</b> <span>${questions[axis]}</span></div><div class="label">${verdict.axes[axis].label}${badge}</div>${reason}</div>`;
}

function startCallout({ start }: Analysis, prefix: string): Markup {
  if (start.isStarted) return nothing;
  const tail = start.stderrTail === undefined ? nothing : markup`<pre>${cut(start.stderrTail, 1500)}</pre>`;
  return markup`<div class="callout unknown"><b>It did not start, so nothing it would have done was seen.</b> ${start.guess ?? ''} <a href="#${prefix}-start">How it was tried</a>${tail}</div>`;
}

const shownAdvice = 4;

function advice({ recommendations }: Verdict, findings: readonly Finding[], prefix: string): Markup {
  if (recommendations.length === 0) return nothing;
  const rules = new Map(findings.map(({ id, rule }) => [id, rule]));
  const items = recommendations.map(({ text, answers }) => {
    const links = answers
      .filter((id) => rules.has(id))
      .slice(0, 6)
      .map((id) => markup` <a class="ref" href="#${findingAnchor(prefix, id)}">${rules.get(id) ?? id}</a>`);
    return markup`<li>${text}${links}</li>`;
  });
  const rest = items.slice(shownAdvice);
  return markup`<div class="advice"><h3>What to do</h3><ol>${items.slice(0, shownAdvice)}</ol>${
    rest.length === 0 ? nothing : fold(`${rest.length} more`, markup`<ol start="${shownAdvice + 1}">${rest}</ol>`)
  }</div>`;
}

export function verdictSection(subject: Subject, analysis: Analysis, prefix: string, rubric: Rubric): Markup {
  const { verdict } = analysis;
  const tone = toneOfVerdict(verdict);
  const isShaky = verdict.band === 'passes' && !verdict.isComplete;
  const whole = verdict.isComplete
    ? chip('everything was watched', 'good')
    : chip('not everything is known', 'unknown');
  return markup`<section class="card verdict ${tone}" id="${prefix}-verdict"><div class="top"><div class="dial">${gauge(verdict, tone, rubric)}<div class="band">${isShaky ? bandWords.unknown : bandWords[verdict.band]}</div>${whole}</div>
<div class="axes">${axes.map((axis) => drawAxis(axis, subject, verdict, prefix, rubric))}</div>${coverageBlock(analysis)}</div>
${startCallout(analysis, prefix)}${advice(verdict, subject.findings, prefix)}</section>`;
}
