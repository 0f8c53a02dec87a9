import type { Analysis } from '../../../base/analysis-schema.ts';
import { severities } from '../../../base/finding-schema.ts';
import type { Subject } from '../../../base/report-schema.ts';
import type { Rubric } from '../../rubric.ts';
import { bomSection } from './bom.ts';
import { callsSection } from './calls.ts';
import { completenessSection } from './completeness.ts';
import { filesSection } from './files.ts';
import { findingsSection } from './findings.ts';
import { listingsSection } from './listings.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';
import { networkSection } from './network-map.ts';
import { chip } from './pieces.ts';
import { policySection } from './policy.ts';
import { processSection } from './process-tree.ts';
import { startSection } from './start.ts';
import { timelineSection } from './timeline.ts';
import { toolsSection } from './tools.ts';
import { verdictSection } from './verdict.ts';

/** Everything about one target. */

interface SectionOf {
  readonly id: string;
  readonly title: string;
  readonly content: Markup;
}

function titleOf({ target: { kind, spec, resolved } }: Subject, analysis: Analysis | undefined): Markup {
  const name =
    resolved === undefined
      ? cut(spec, 300)
      : markup`${cut(resolved.name, 160)} <span class="version">${cut(resolved.version, 60)}</span>`;
  const server = analysis?.server ?? null;
  const facts = [
    chip(kind),
    ...(resolved === undefined ? [] : [chip(cut(spec, 300))]),
    ...(server === null ? [] : [chip(markup`says it is ${cut(server.name, 80)} ${cut(server.version, 40)}`)]),
  ];
  const integrity =
    resolved?.integrity === undefined ? nothing : markup`<p class="faint hash">${resolved.integrity}</p>`;
  return markup`<h2>${name}</h2><p class="what">${facts.map((fact) => markup`${fact} `)}</p>${integrity}`;
}

/** Without a run there is no verdict: how many of each severity, and whether that is all. */
function tally({ findings, checks }: Subject): Markup {
  const tiles = severities.toReversed().map((severity) => {
    const number = findings.filter((finding) => finding.severity === severity).length;
    return markup`<div class="tile ${number === 0 ? 'plain' : severity}"><b>${number}</b><span>${severity}</span></div>`;
  });
  const unknown = checks.filter(({ is }) => is === 'unknown').length;
  const whole = unknown > 0 ? markup`<div class="tile unknown"><b>${unknown}</b><span>unknown</span></div>` : nothing;
  return markup`<div class="tally">${tiles}${whole}</div>`;
}

function sectionsOf(subject: Subject, bom: object | null | undefined, prefix: string): readonly SectionOf[] {
  const { analysis } = subject;
  const of = (id: string, title: string, content: Markup): SectionOf => ({ id: `${prefix}-${id}`, title, content });
  const run =
    analysis === undefined
      ? []
      : [
          of('timeline', 'Timeline', timelineSection(analysis, prefix)),
          of('network', 'Network', networkSection(analysis, prefix)),
          of('processes', 'Processes', processSection(analysis, prefix)),
          of('tools', 'Tools', toolsSection(analysis, prefix)),
          of('listings', 'Listings', listingsSection(analysis, prefix)),
          of('policy', 'Policy', policySection(analysis, prefix)),
          of('files', 'Files', filesSection(analysis, prefix)),
        ];
  const rest =
    analysis === undefined
      ? []
      : [of('start', 'Start', startSection(analysis, prefix)), of('calls', 'Calls', callsSection(analysis, prefix))];
  return [
    of('findings', 'Findings', findingsSection(subject, prefix)),
    ...run,
    of('bom', 'Components', bomSection(bom, prefix)),
    of('looked', 'Completeness', completenessSection(subject, prefix)),
    ...rest,
  ].filter(({ content }) => content.toString() !== '');
}

export function subjectArticle(
  subject: Subject,
  bom: object | null | undefined,
  prefix: string,
  rubric: Rubric,
): Markup {
  const { analysis } = subject;
  const sections = sectionsOf(subject, bom, prefix);
  const head = analysis === undefined ? tally(subject) : verdictSection(subject, analysis, prefix, rubric);
  const links = sections.map(({ id, title }) => markup`<a href="#${id}">${title}</a>`);
  return markup`<article class="subject" id="${prefix}">${titleOf(subject, analysis)}${head}<nav aria-label="sections">${links}</nav>${sections.map(({ content }) => content)}</article>`;
}
