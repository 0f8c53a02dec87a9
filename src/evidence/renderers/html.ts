import type { Report, Subject } from '../../base/report-schema.ts';
import type { Verdict } from '../../base/verdict-schema.ts';
import type { Renderer } from '../renderer.ts';
import { readRubric } from '../rubric.ts';
import { countBySeverity } from '../words.ts';
import { type Markup, markup, nothing } from './html/markup.ts';
import { chip, duration, table } from './html/pieces.ts';
import { style } from './html/style.ts';
import { subjectArticle } from './html/subject.ts';
import { toneOfVerdict } from './html/verdict.ts';

/** One file that can be mailed: no script, nothing loaded from anywhere, and text of a target is only ever text. */

/** Markup and not text: the quotes belong to it. */
const contentPolicy = markup`default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;

function prefixOf(at: number): string {
  return `target-${at + 1}`;
}

function nameOf({ target: { spec, resolved } }: Subject): string {
  return resolved === undefined ? spec : `${resolved.name} ${resolved.version}`;
}

/** With several targets: which of them needs a look. */
function overview({ subjects }: Report): Markup {
  if (subjects.length < 2) return nothing;
  const hasVerdicts = subjects.some(({ analysis }) => analysis !== undefined);
  const rows = subjects.map((subject, at) => {
    const { analysis, findings } = subject;
    const found = findings.length === 0 ? 'nothing was found' : countBySeverity(findings);
    const name = markup`<a href="#${prefixOf(at)}">${nameOf(subject)}</a>`;
    return hasVerdicts ? [name, verdictChip(analysis?.verdict), found] : [name, found];
  });
  const columns = [{ title: 'target' }, ...(hasVerdicts ? [{ title: 'verdict' }] : []), { title: 'findings' }];
  return markup`<section class="card">${table({ columns }, rows)}</section>`;
}

function verdictChip(verdict: Verdict | undefined): Markup {
  if (verdict === undefined) return nothing;
  const { band, risk } = verdict;
  return chip(risk === null ? 'inconclusive' : `${band}, ${risk}`, toneOfVerdict(verdict));
}

function headline({ isComplete, subjects, startedAt, durationMs, tool }: Report): Markup {
  const all = subjects.flatMap(({ findings }) => findings);
  const whole = isComplete
    ? chip('everything was looked at', 'good')
    : chip('not everything could be looked at: silence proves nothing there', 'unknown');
  const when = startedAt.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');
  return markup`<p>${all.length === 0 ? 'No findings' : countBySeverity(all)} ${whole}</p><p class="faint">${when}, took ${duration(durationMs)}, hotcell ${tool.version}</p>`;
}

export const html: Renderer = {
  id: 'html',
  title: 'one HTML file without scripts',
  endings: ['.html', '.htm'],
  render({ report, boms }) {
    const rubric = readRubric();
    const subjects = report.subjects.map((subject, at) => subjectArticle(subject, boms[at], prefixOf(at), rubric));
    const [only] = report.subjects;
    const about = report.subjects.length === 1 && only !== undefined ? `${nameOf(only)}: ` : '';
    return `${markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${about}Hotcell ${report.instrument}</title><style>${style}</style></head><body>
<header class="page"><div class="brand"><svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M2 3h16v14H2Z"/><circle cx="10" cy="10" r="3.2"/></svg><h1>Hotcell ${report.instrument}</h1></div><div>${headline(report)}</div></header>
${overview(report)}${subjects}
<footer><p><b>How to read it.</b> Evidence is of class <b>A</b> proof: a secret left the box, or an injected command ran; <b>B</b> observed: a forbidden attempt was seen; <b>C</b> undeclared: it did more than it says; <b>D</b> hint: found by reading; <b>U</b> unknown. The three axes are never mixed, and what was not looked at is never called clean. Text that came from a target is shown with everything invisible spelled out.</p></footer>
</body></html>
`}`;
  },
};
