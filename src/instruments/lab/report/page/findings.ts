import { brief, type Markup, markup, nothing } from '../../../../evidence/renderers/html/markup.ts';
import { chip, fold, section } from '../../../../evidence/renderers/html/pieces.ts';
import type { LabReport } from '../schema.ts';
import { techniqueWords } from '../techniques.ts';
import { evidenceNote, evidenceWords, type FindingGroup, groupFindings, splitGroups, techniques } from '../words.ts';

const shownAtOnce = 20;

function finding({ finding: each, places, isBenignNew }: FindingGroup): Markup {
  const { severity, title, evidence_type: type, evidence, benign, attack, mbc, source } = each;
  const seen = evidence.map(
    ({ where, text }) => markup`<dt>${brief(where, 160)}</dt><dd><code>${text.trim()}</code></dd>`,
  );
  const tags = [...attack.map((id) => `ATT&CK ${techniqueWords(id)}`), ...mbc.map((id) => `MBC ${id}`)];
  const inside =
    places.length === 0
      ? nothing
      : markup`<p class="place faint">in ${brief(places.slice(0, 5).join(', '), 400)}${places.length > 5 ? ` and ${places.length - 5} more` : ''}</p>`;
  const harmless = isBenignNew ? markup`<p class="benign"><b>Harmless when</b> ${benign}</p>` : nothing;
  return markup`<article class="finding ${severity}"><header><span class="badge">${severity}</span><h4>${title}</h4>${chip(evidenceWords[type])}${chip(brief(source, 60))}</header>${inside}<dl class="seen">${seen}</dl>${harmless}${tags.length === 0 ? nothing : markup`<p class="tags">${tags.join(' · ')}</p>`}</article>`;
}

function knownTechniques({ findings }: LabReport): Markup {
  const { attack } = techniques(findings);
  if (attack.length === 0) return nothing;
  return fold(
    `${attack.length} ${attack.length === 1 ? 'technique' : 'techniques'} of ATT&CK`,
    attack.flatMap((id) => [chip(techniqueWords(id)), ' ']),
  );
}

export function findingsSection(report: LabReport): Markup {
  const { grave, informing } = splitGroups(groupFindings(report.findings));
  const rest = grave.slice(shownAtOnce);
  const main =
    grave.length === 0
      ? markup`<p>Nothing that stands out; that is no proof that it is harmless.</p>`
      : markup`${grave.slice(0, shownAtOnce).map(finding)}${rest.length === 0 ? nothing : fold(`${rest.length} more`, rest.map(finding))}`;
  const known = informing.length === 0 ? nothing : fold(`Good to know: ${informing.length}`, informing.map(finding));
  return section('seen', 'What was seen', markup`${main}${known}${knownTechniques(report)}`, evidenceNote);
}
