import { forTerminal, untrusted } from '../../../../base/untrusted.ts';
import { fenced, inline } from '../../../../evidence/renderers/markdown-text.ts';
import type { LabReport } from '../schema.ts';
import { techniqueWords } from '../techniques.ts';
import { tellReport } from '../told/index.ts';
import {
  evidenceNote,
  evidenceWords,
  type FindingGroup,
  groupFindings,
  joinMoments,
  splitGroups,
  techniques,
} from '../words.ts';
import { shown, tableLines } from './text.ts';

const most = { moments: 200, rows: 20, tables: 12, texts: 12, textBytes: 4000, pairs: 40 } as const;

/** Several lines of the sample as they are, with everything invisible spelled out. */
function listing(text: string): string {
  return fenced(forTerminal(untrusted(text.replaceAll('\r\n', '\n'), most.textBytes), { keepLines: true }));
}

export function listPart(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`## ${title}`, '', ...items.map((item) => `- ${shown(item, 600)}`), ''];
}

function finding({ finding: each, places, isBenignNew }: FindingGroup): readonly string[] {
  const { title, severity, evidence_type: type, source, attack, mbc, evidence, benign } = each;
  const marks = [severity, evidenceWords[type], `by ${source}`, ...attack.map(techniqueWords), ...mbc];
  return [
    `### ${shown(title)}`,
    '',
    marks.map((mark) => shown(mark, 100)).join(', '),
    '',
    ...(places.length === 0
      ? []
      : [
          `In ${places
            .slice(0, 10)
            .map((place) => shown(place, 120))
            .join(', ')}.`,
          '',
        ]),
    ...evidence.map(({ where, text }) => `- ${shown(where, 160)}: ${shown(text)}`),
    '',
    ...(isBenignNew ? [`Harmless when: ${shown(benign)}`, ''] : []),
  ];
}

export function findingsPart({ findings }: LabReport): readonly string[] {
  const { grave, informing } = splitGroups(groupFindings(findings));
  const { attack, mbc } = techniques(findings);
  return [
    '## What was seen',
    '',
    evidenceNote,
    '',
    ...(grave.length === 0
      ? ['Nothing that stands out; that is no proof that it is harmless.', '']
      : grave.flatMap(finding)),
    ...listPart(
      'Good to know',
      informing.map(({ finding: { title, evidence } }) =>
        evidence[0] === undefined ? title : `${title} (${evidence[0].where}: ${evidence[0].text})`,
      ),
    ),
    ...(attack.length === 0 ? [] : [`ATT&CK: ${attack.map((id) => inline(techniqueWords(id))).join(', ')}.`, '']),
    ...(mbc.length === 0 ? [] : [`MBC: ${mbc.map(inline).join(', ')}.`, '']),
  ];
}

export function detonationPart({ detonation }: LabReport): readonly string[] {
  if (detonation === null) return [];
  const moments = joinMoments(detonation.timeline);
  const head = ['## Run in a cell', '', shown(detonation.because, 800), ''];
  if (detonation.status !== 'done') return head;
  const left = moments.length - most.moments;
  return [
    ...head,
    detonation.is_complete ? 'The telemetry is complete.' : 'The telemetry is not complete: silence proves nothing.',
    '',
    ...tableLines(
      ['at', 'what', 'who', 'how'],
      moments
        .slice(0, most.moments)
        .map(({ entry: { at_ms: at, kind, process, text }, times }) => [
          `${Math.round(at)} ms`,
          times === 1 ? kind : `${kind}, ${times} times`,
          process,
          text,
        ]),
    ),
    ...(left > 0 ? [`${left} more in the run.`, ''] : []),
  ];
}

/** Only what the analysers of its kind say; the rest is in the JSON. */
export function factsPart(report: LabReport): readonly string[] {
  return tellReport(report).main.flatMap(({ title, pairs, tables, texts }) => [
    `## ${shown(title, 80)}`,
    '',
    ...(pairs.length === 0 ? [] : tableLines(['', ''], pairs.slice(0, most.pairs))),
    ...texts.slice(0, most.texts).flatMap(({ title: name, text }) => [`${shown(name, 160)}:`, '', listing(text), '']),
    ...tables
      .slice(0, most.tables)
      .flatMap(({ title: name, columns, rows }) => [
        `${shown(name, 160)}${rows.length > most.rows ? `, the first ${most.rows} of ${rows.length}` : ''}:`,
        '',
        ...tableLines(columns, rows.slice(0, most.rows)),
      ]),
  ]);
}

export function textsPart({ texts = [] }: LabReport): readonly string[] {
  if (texts.length === 0) return [];
  return [
    '## Code and text',
    '',
    ...texts
      .slice(0, most.texts)
      .flatMap(({ source, label, text }) => [`${shown(source, 40)}: ${shown(label, 120)}`, '', listing(text), '']),
  ];
}
