import { fenced } from '../../../evidence/renderers/markdown-text.ts';
import { detonationPart, factsPart, findingsPart, listPart, textsPart } from './markdown/parts.ts';
import { shown, tableLines } from './markdown/text.ts';
import type { LabReport } from './schema.ts';
import { bestIndicators, gapsOf, hexLines, seconds, size } from './words.ts';

/** A report to be kept with a case. Text of the sample is text, whatever marks are in it. */

function headPart(report: LabReport): readonly string[] {
  const { file } = report;
  const best = bestIndicators(report);
  return [
    `# ${shown(file.name, 200)}`,
    '',
    ...report.summary.flatMap((sentence) => [`- ${shown(sentence, 2000)}`]),
    ...(best.length === 0 ? [] : ['- First to look at:', ...best.map(({ value }) => `  - ${shown(value, 300)}`)]),
    '',
    ...tableLines(
      ['', ''],
      [
        ['kind', file.kind.title],
        ['size', size(file.size_bytes)],
        ['sha256', file.sha256],
        ['sha1', file.sha1],
        ['md5', file.md5],
        ['looked at', `${report.started_at}, depth ${report.depth}, ${seconds(report.elapsed_ms)}`],
        ['tools ran in', report.confinement],
        [
          'evidence',
          report.evidence.is_unchanged ? 'unchanged, by its hash before and after' : 'CHANGED while it was looked at',
        ],
        ...file.origins
          .slice(0, 10)
          .map(({ how, parent }) => ['came', parent === null ? how : `${how}, out of ${parent}`]),
      ],
    ),
  ];
}

export function renderMarkdown(report: LabReport): string {
  const { indicators, inner_files: inner } = report;
  const lines = [
    ...headPart(report),
    ...listPart(
      'To do before this is believed',
      report.action_required.map(({ issue, remediation }) => `${issue} ${remediation}`),
    ),
    ...findingsPart(report),
    ...detonationPart(report),
    ...(indicators.length === 0
      ? []
      : [
          '## Indicators',
          '',
          ...tableLines(
            ['type', 'value', 'confidence'],
            indicators.map(({ type, value, confidence }) => [type, value, `${Math.round(confidence * 100)} %`]),
          ),
        ]),
    ...(inner.length === 0
      ? []
      : [
          '## Inner files',
          '',
          ...tableLines(
            ['name', 'kind', 'size', 'how', 'sha256'],
            inner.map(({ name, kind, size_bytes: bytes, how, sha256 }) => [name, kind.title, size(bytes), how, sha256]),
          ),
        ]),
    ...textsPart(report),
    ...factsPart(report),
    ...(report.picture.head === '' ? [] : ['## First bytes', '', fenced(hexLines(report.picture.head).join('\n')), '']),
    ...listPart('Not whole', gapsOf(report)),
    ...listPart(
      'Not run',
      report.not_run.map(({ id, because, what_to_do: todo }) => `${id}: ${because}. ${todo}`),
    ),
    ...listPart('Next', report.next_steps),
    'This report holds no verdict.',
  ];
  return `${lines.join('\n')}\n`;
}
