import type { Proof } from '../../../base/analysis-schema.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import { type Subject, worstFirst } from '../../../base/report-schema.ts';
import { countBySeverity } from '../../words.ts';
import { cut, join, type Markup, markup, nothing } from './markup.ts';
import { chip, count, fold, section } from './pieces.ts';
import { proofChain, sourceChain } from './proof-chain.ts';
import { classTones, classWords } from './tones.ts';

const excerptBytes = 2000;
const mostExcerpts = 8;
/** Findings beyond these are told by their title alone; the JSON has them in full. */
const mostInFull = 150;

function evidenceOf({ evidence }: Finding): Markup {
  const shown = evidence
    .slice(0, mostExcerpts)
    .map(
      ({ kind, ref, excerpt }) =>
        markup`<figure><figcaption>${chip(kind)} <code>${cut(ref, 300)}</code></figcaption><pre>${cut(excerpt, excerptBytes)}</pre></figure>`,
    );
  if (shown.length === 0) return nothing;
  const more = evidence.length > mostExcerpts ? `, the first ${mostExcerpts} of ${evidence.length}` : '';
  return fold(`Evidence: ${count(shown.length, 'excerpt')}${more}`, shown);
}

function reproOf({ repro }: Finding): Markup {
  return repro === undefined
    ? nothing
    : markup`<div class="repro"><span>See it again</span><code>${repro}</code></div>`;
}

export function findingAnchor(prefix: string, id: string): string {
  return `${prefix}-finding-${id}`;
}

function drawFinding(finding: Finding, prefix: string, proofs: readonly Proof[]): Markup {
  const { id, severity, title, rule, axis, evidenceClass, cwe, owasp, attack = [], locations, remediation } = finding;
  const own = proofs.filter((proof) => proof.finding === id);
  const tags = [axis, rule, ...cwe, ...owasp, ...attack, id];
  return markup`<article class="finding ${severity}" id="${findingAnchor(prefix, id)}">
<header><span class="badge">${severity}</span><span class="class ${classTones[evidenceClass]}" title="evidence class ${evidenceClass}">${evidenceClass}<small>${classWords[evidenceClass]}</small></span><h4><a href="#${findingAnchor(prefix, id)}">${title}</a></h4></header>
${own.map(proofChain)}${sourceChain(locations)}
<p class="remedy"><b>Remedy</b> ${remediation}</p>${reproOf(finding)}${evidenceOf(finding)}<p class="tags">${join(tags, ' · ')}</p></article>`;
}

function titleOnly({ severity, title, evidenceClass, id }: Finding, prefix: string): Markup {
  return markup`<li id="${findingAnchor(prefix, id)}">${chip(severity, severity)} ${chip(evidenceClass)} ${title}</li>`;
}

export function findingsSection(subject: Subject, prefix: string): Markup {
  const { findings, suppressed, analysis } = subject;
  const proofs = analysis?.proofs ?? [];
  const sorted = worstFirst(findings);
  const full = sorted.slice(0, mostInFull);
  const loud = full.filter(({ severity }) => severity !== 'low' && severity !== 'info');
  const quiet = full.filter((finding) => !loud.includes(finding));
  const draw = (finding: Finding): Markup => drawFinding(finding, prefix, proofs);
  const rest = sorted.slice(mostInFull);
  const hidden = suppressed.map(
    ({ finding, by, reason }) =>
      markup`<li>${chip(finding.severity, finding.severity)} ${finding.title} <span class="faint">${by}: ${reason}</span></li>`,
  );
  const isQuietFolded = loud.length > 0 && quiet.length > 2;
  const quietMarkup = isQuietFolded ? fold(`Less urgent: ${countBySeverity(quiet)}`, quiet.map(draw)) : quiet.map(draw);
  const body = markup`${loud.map(draw)}${quietMarkup}${
    rest.length === 0
      ? nothing
      : fold(
          `${count(rest.length, 'further finding')}, by title`,
          markup`<ul>${rest.map((each) => titleOnly(each, prefix))}</ul>`,
        )
  }${hidden.length === 0 ? nothing : fold(`${hidden.length} suppressed`, markup`<ul>${hidden}</ul>`)}`;
  const isKnown = analysis?.verdict.isComplete !== false && subject.checks.every(({ is }) => is !== 'unknown');
  const silence = isKnown ? 'Nothing was found.' : 'Nothing was found, and not everything could be looked at.';
  const note = findings.length === 0 ? silence : `Worst first: ${countBySeverity(findings)}.`;
  return section(`${prefix}-findings`, 'Findings', body, note);
}
