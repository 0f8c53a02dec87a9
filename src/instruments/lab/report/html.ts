import { brief, type Markup, markup, nothing } from '../../../evidence/renderers/html/markup.ts';
import { chip, fold, table } from '../../../evidence/renderers/html/pieces.ts';
import { style } from '../../../evidence/renderers/html/style.ts';
import { detonationSection } from './page/detonation.ts';
import { factSections, textsSection } from './page/facts.ts';
import { findingsSection } from './page/findings.ts';
import { labStyle } from './page/lab-style.ts';
import { indicatorsSection, innerSection, missingSection } from './page/lists.ts';
import { pictureSection } from './page/picture.ts';
import type { LabReport } from './schema.ts';
import { bestIndicators, gapsOf, seconds, size, spellBlanks } from './words.ts';

/** One file that can be mailed: no script, nothing loaded from anywhere, and text of a sample is only ever text. */

const contentPolicy = markup`default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;

const tallied = ['critical', 'high', 'medium', 'low', 'info'] as const;

function tally({ findings }: LabReport): Markup {
  const tiles = tallied.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return markup`<div class="tile ${count === 0 ? 'plain' : severity}"><b>${count}</b><span>${severity}</span></div>`;
  });
  return markup`<div class="tally">${tiles}</div>`;
}

function identity({ file, evidence, confinement }: LabReport): Markup {
  const unchanged = evidence.is_unchanged
    ? chip('unchanged, by its hash before and after', 'good')
    : chip('its hash has changed while it was looked at', 'critical');
  const rows = [
    ['kind', file.kind.title],
    [
      'size',
      file.size_bytes < 1024
        ? size(file.size_bytes)
        : `${size(file.size_bytes)} (${file.size_bytes.toLocaleString('en')} bytes)`,
    ],
    ['sha256', markup`<code class="hash">${file.sha256}</code>`],
    ['sha1', markup`<code class="hash">${file.sha1}</code>`],
    ['md5', markup`<code class="hash">${file.md5}</code>`],
    ['evidence', unchanged],
    ['tools ran in', confinement],
    ...file.origins.map(({ how, parent }) => [
      'came',
      parent === null ? how : `${how}, out of ${parent.slice(0, 16)}…`,
    ]),
  ];
  const heads = rows.map(([key, value]) => markup`<div><dt>${key ?? ''}</dt><dd>${value ?? ''}</dd></div>`);
  return markup`<dl class="identity">${heads}</dl>`;
}

/** Never a link: whoever follows one tells its owner. */
function worth(report: LabReport): Markup {
  const best = bestIndicators(report);
  if (best.length === 0) return nothing;
  const items = best.map(
    ({ type, value }) => markup`<li><span>${brief(type, 40)}</span><code>${brief(spellBlanks(value), 200)}</code></li>`,
  );
  return markup`<h4>First to look at</h4><ul class="worth">${items}</ul>`;
}

function summaryCard(report: LabReport): Markup {
  const sentences = report.summary.map(
    (sentence, at) => markup`<p class="${at === 0 ? 'lead' : 'what'}">${sentence}</p>`,
  );
  const todo = report.action_required.map(({ issue, remediation }) => markup`<li><b>${issue}</b> ${remediation}</li>`);
  const advice =
    todo.length === 0
      ? nothing
      : markup`<div class="callout medium"><b>To do before this is believed</b><ul class="reasons">${todo}</ul></div>`;
  return markup`<section class="card" id="summary"><h2>${brief(spellBlanks(report.file.name), 200)}</h2>${sentences}${worth(report)}${advice}${identity(report)}</section>`;
}

function nextCard({ next_steps: steps }: LabReport): Markup {
  if (steps.length === 0) return nothing;
  return markup`<section class="card" id="next"><h3>Next</h3><ol class="reasons">${steps.map((step) => markup`<li>${step}</li>`)}</ol></section>`;
}

function toolsCard({ tools, analysers }: LabReport): Markup {
  const own = analysers.map(({ id, status, elapsed_ms: ms, notes }) => [
    id,
    'own analyser',
    status,
    seconds(ms),
    notes.join('; '),
  ]);
  const external = tools.map(({ id, command, status, elapsed_ms: ms, meaning }) => [
    id,
    markup`<code>${command}</code>`,
    status,
    seconds(ms),
    meaning,
  ]);
  const columns = [
    { title: 'who' },
    { title: 'how' },
    { title: 'ended' },
    { title: 'took', isNumber: true },
    { title: 'said' },
  ];
  return markup`<section class="card" id="work"><h3>Who looked</h3>${fold(`${own.length} own analysers and ${external.length} external tools`, table({ columns }, [...own, ...external]))}</section>`;
}

export function renderHtml(report: LabReport): string {
  const gaps = gapsOf(report);
  const whole =
    gaps.length === 0
      ? chip('everything that was begun came to its end', 'good')
      : chip('not everything came to its end: silence proves nothing there', 'unknown');
  const when = report.started_at.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');
  const parts: readonly (readonly [string, string, Markup])[] = [
    ['seen', 'What was seen', findingsSection(report)],
    ['detonation', 'Run in a cell', detonationSection(report)],
    ['indicators', 'Indicators', indicatorsSection(report)],
    ['inner', 'Inner files', innerSection(report)],
    ['texts', 'Code and text', textsSection(report)],
    ['facts', 'Facts', factSections(report)],
    ['picture', 'Picture', pictureSection(report)],
    ['work', 'Who looked', toolsCard(report)],
    ['missing', 'Not run', missingSection(report)],
    ['next', 'Next', nextCard(report)],
  ];
  const present = parts.filter(([, , content]) => content !== nothing);
  const links = present.map(([id, title]) => markup`<a href="#${id}">${title}</a>`);
  return `${markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${report.file.name}: Hotcell lab</title><style>${style}${labStyle}</style></head><body>
<header class="page"><div class="brand"><svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="M2 3h16v14H2Z"/><circle cx="10" cy="10" r="3.2"/></svg><h1>Hotcell lab</h1></div><div><p>${whole}</p><p class="faint">${when}, took ${seconds(report.elapsed_ms)}, depth ${report.depth}</p></div></header>
${summaryCard(report)}${tally(report)}<nav>${links}</nav>
${present.map(([, , content]) => content)}
<footer><p><b>How to read it.</b> This report holds no verdict. Each line says how it is known: <b>conduct</b> was seen or is in the code, <b>structure</b> is how the file is built, <b>bytes in it</b> merely lie there. Beside each stands when harmless software has the same. Text that came from the file is shown with everything invisible spelled out.</p></footer>
</body></html>
`}`;
}
