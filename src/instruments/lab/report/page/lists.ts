import { brief, type Markup, markup, nothing, type Part } from '../../../../evidence/renderers/html/markup.ts';
import { count, longTable, section } from '../../../../evidence/renderers/html/pieces.ts';
import type { LabReport } from '../schema.ts';
import { gapsOf, size, spellBlanks, splitNotRun } from '../words.ts';

export function indicatorsSection({ indicators, indicator_noise_count: noise }: LabReport): Markup {
  if (indicators.length === 0) return nothing;
  const rows = indicators.map(({ type, value, confidence, count: seen, sources }) => [
    type,
    markup`<code>${brief(spellBlanks(value), 160)}</code>`,
    markup`${Math.round(confidence * 100)} %`,
    seen,
    brief(sources.join(', '), 60),
  ]);
  const columns = [
    { title: 'type' },
    { title: 'value' },
    { title: 'sure', isNumber: true },
    { title: 'seen', isNumber: true },
    { title: 'where' },
  ];
  return section(
    'indicators',
    'Indicators',
    longTable({ columns }, rows, 25, 'indicators'),
    `${noise === 0 ? '' : `${count(noise, 'further value is', 'further values are')} probably nothing, and left out here. `}Whoever looks one up tells its owner.`,
  );
}

export function innerSection({ inner_files: inner }: LabReport): Markup {
  if (inner.length === 0) return nothing;
  const rows = inner.map(({ name, inside, kind, size_bytes: bytes, how, sha256, finding_count: found }) => [
    markup`<b>${brief(spellBlanks(name), 80)}</b>${inside === null ? nothing : markup`<span class="description">in ${brief(inside, 80)}</span>`}`,
    kind.title,
    size(bytes),
    brief(how, 80),
    found,
    markup`<code class="hash">${sha256.slice(0, 16)}…</code>`,
  ]);
  const columns = [
    { title: 'name' },
    { title: 'kind' },
    { title: 'size', isNumber: true },
    { title: 'how it came out' },
    { title: 'findings', isNumber: true },
    { title: 'sha256' },
  ];
  return section('inner', 'Inner files', longTable({ columns }, rows, 20, 'inner files'));
}

export function missingSection(report: LabReport): Markup {
  const gaps = gapsOf(report);
  if (gaps.length + report.not_run.length === 0) return nothing;
  const row = ({ id, because, what_to_do: todo }: LabReport['not_run'][number]): readonly Part[] => [
    markup`<b>${brief(id, 80)}</b>`,
    because,
    todo,
  ];
  const columns = [{ title: 'what' }, { title: 'why not' }, { title: 'what to do' }];
  const { absent, others } = splitNotRun(report);
  const open =
    gaps.length === 0 ? nothing : markup`<ul class="reasons">${gaps.map((gap) => markup`<li>${gap}</li>`)}</ul>`;
  return section(
    'missing',
    'Not run, and not whole',
    markup`${open}${longTable({ columns }, others.map(row), 8, 'more')}${longTable({ columns }, absent.map(row), 0, 'not installed')}`,
  );
}
