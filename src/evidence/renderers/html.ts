import type { Finding } from '../../base/finding-schema.ts';
import { type Subject, worstFirst } from '../../base/report-schema.ts';
import { forHtml, untrusted } from '../../base/untrusted.ts';
import { asUntrusted } from '../excerpt.ts';
import type { Renderer } from '../renderer.ts';
import { countBySeverity, describeTarget, placeText } from '../words.ts';

/** One file that can be mailed: no script, nothing loaded from anywhere, and text of a target is only ever text. */

const excerptBytes = 4000;

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --critical: #b3122b; --high: #c8431a; --medium: #a67200; --low: #2f6f9f; --info: #667; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; overflow-wrap: anywhere; } h3 { font-size: 1rem; margin: 0; }
p { margin: .4rem 0; } .faint { opacity: .72; font-size: .87rem; }
article { border: 1px solid var(--line); border-left: 5px solid var(--tone); border-radius: 6px; margin: .8rem 0; padding: .8rem 1rem; }
article > header { display: flex; gap: .6rem; align-items: baseline; } article h3 { flex: 1; overflow-wrap: anywhere; }
.badge { background: var(--tone); border-radius: 4px; color: #fff; font-size: .75rem; font-weight: 600; padding: .1rem .45rem; text-transform: uppercase; }
pre { background: var(--soft); border-radius: 4px; font: 13px/1.45 ui-monospace, monospace; margin: .4rem 0; max-height: 22rem; overflow: auto; padding: .6rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
ol { margin: .4rem 0; padding-left: 1.5rem; } code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } td, th { border-bottom: 1px solid var(--line); padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top; }
.unknown { color: var(--medium); font-weight: 600; } .good { color: #2a7d46; font-weight: 600; }
@media print { article { break-inside: avoid; } pre { max-height: none; } }
`;

const safe = (text: string): string => forHtml(untrusted(text));

function renderFinding(finding: Finding): string {
  const { severity, title, rule, evidenceClass, cwe, owasp, id, locations, evidence, remediation, repro } = finding;
  const tags = [`evidence ${evidenceClass}`, ...cwe, ...owasp, rule, id].map(safe).join(' · ');
  const [only] = locations;
  const way =
    locations.length > 1
      ? `<ol>${locations.map((each) => `<li><code>${safe(placeText(each))}</code> ${safe(each.step ?? '')}</li>`).join('')}</ol>`
      : only === undefined
        ? ''
        : `<p><code>${safe(placeText(only))}</code></p>`;
  const proofs = evidence
    .map(
      ({ ref, excerpt }) =>
        `<p class="faint">${safe(ref)}</p><pre>${forHtml(asUntrusted(excerpt, excerptBytes))}</pre>`,
    )
    .join('');
  return `<article style="--tone: var(--${severity})"><header><span class="badge">${severity}</span><h3>${safe(title)}</h3></header>
<p class="faint">${tags}</p>${way}${proofs}<p><strong>Remedy:</strong> ${safe(remediation)}</p>${repro === undefined ? '' : `<pre>${safe(repro)}</pre>`}</article>`;
}

function renderChecks({ checks }: Subject): string {
  if (checks.length === 0) return '';
  const rows = checks.map(({ title, is, because, facts }) => {
    const details = [because ?? '', ...Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`)];
    const tone = is === 'done' ? 'good' : is === 'unknown' ? 'unknown' : 'faint';
    return `<tr><td>${safe(title)}</td><td class="${tone}">${is}</td><td>${safe(details.filter((part) => part !== '').join('; '))}</td></tr>`;
  });
  return `<h3>What was looked at</h3><table><thead><tr><th>check</th><th>outcome</th><th>details</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function renderSubject(subject: Subject): string {
  const { findings, suppressed } = subject;
  const hidden = suppressed.map(
    ({ finding, by, reason }) => `<li>${safe(finding.title)} (${by}: ${safe(reason)})</li>`,
  );
  return `<section><h2>${safe(describeTarget(subject))}</h2>
<p>${findings.length === 0 ? 'Nothing was found.' : `Found: ${countBySeverity(findings)}.`}</p>
${worstFirst(findings).map(renderFinding).join('\n')}
${hidden.length === 0 ? '' : `<h3>Suppressed</h3><ul>${hidden.join('')}</ul>`}
${renderChecks(subject)}</section>`;
}

export const html: Renderer = {
  id: 'html',
  title: 'one HTML file without scripts',
  endings: ['.html', '.htm'],
  render({ report }) {
    const all = report.subjects.flatMap(({ findings }) => findings);
    const verdict = report.isComplete
      ? '<span class="good">everything was looked at</span>'
      : '<span class="unknown">not everything could be looked at: silence proves nothing there</span>';
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Hotcell ${safe(report.instrument)}</title><style>${style}</style></head><body>
<h1>Hotcell ${safe(report.instrument)}</h1>
<p>${all.length === 0 ? 'No findings' : countBySeverity(all)}; ${verdict}.</p>
<p class="faint">${safe(report.startedAt)}, hotcell ${safe(report.tool.version)}</p>
${report.subjects.map(renderSubject).join('\n')}
</body></html>
`;
  },
};
