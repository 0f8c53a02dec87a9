import type { LabReport } from '../schema.ts';
import { gapsOf, hexLines, joinMoments, size, splitNotRun } from '../words.ts';
import { columnLines, cutTo, type Paper, safe, wrap } from './text.ts';

const most = { indicators: 30, inner: 20, timeline: 40, notRun: 8 } as const;
const shades = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

function left(count: number, shown: number, where: string, { style }: Paper): readonly string[] {
  return count > shown ? [style.faint(`  ${count - shown} more: ${where}`)] : [];
}

export function indicatorLines(report: LabReport, paper: Paper): readonly string[] {
  const { indicators, indicator_noise_count: noise } = report;
  if (indicators.length === 0) return [];
  const widest = Math.min(18, Math.max(...indicators.map(({ type }) => type.length)));
  const title = noise === 0 ? `${indicators.length}` : `${indicators.length}, and ${noise} that are probably nothing`;
  return [
    paper.style.strong(`Indicators (${title})`),
    ...indicators.slice(0, most.indicators).map(({ type, value, confidence }) => {
      const sure = `${Math.round(confidence * 100)} %`;
      const shown = cutTo(safe(value, 800), Math.max(20, paper.width - widest - sure.length - 6));
      return `  ${paper.style.faint(cutTo(safe(type, 40), widest).padEnd(widest))}  ${shown}  ${paper.style.faint(sure)}`;
    }),
    ...left(indicators.length, most.indicators, '--format json or stix', paper),
    '',
  ];
}

export function innerLines({ inner_files: inner }: LabReport, paper: Paper): readonly string[] {
  if (inner.length === 0) return [];
  const rows = inner
    .slice(0, most.inner)
    .map(({ name, kind, size_bytes: bytes, finding_count: found, sha256, how }) => [
      safe(name, 80),
      safe(kind.title, 80),
      size(bytes),
      String(found),
      `${sha256.slice(0, 16)}…`,
      safe(how, 80),
    ]);
  return [
    paper.style.strong(`Inner files (${inner.length})`),
    ...columnLines(
      [['name', 'kind', 'size', 'findings', 'sha256', 'how'], ...rows],
      paper.width,
      '  ',
      paper.style.faint,
    ),
    ...left(inner.length, most.inner, '--format json has all', paper),
    '',
  ];
}

export function detonationLines({ detonation }: LabReport, paper: Paper): readonly string[] {
  if (detonation === null) return [];
  const { style, width } = paper;
  const head = [style.strong('Run in a cell'), ...wrap(safe(detonation.because, 600), width, '  ')];
  if (detonation.status !== 'done') return [...head, ''];
  const moments = joinMoments(detonation.timeline);
  const state = detonation.is_complete
    ? style.good('telemetry is complete')
    : style.warn('telemetry is not complete: silence proves nothing');
  const outputs = [
    ['it printed', detonation.stdout],
    ['its errors', detonation.stderr],
  ].filter(([, text]) => text !== '');
  return [
    ...head,
    `  ${state}`,
    ...moments.slice(0, most.timeline).map(({ entry: { at_ms: at, kind, process, text }, times }) => {
      const start = `  ${`${Math.round(at)} ms`.padStart(9)}  `;
      const who = `${cutTo(safe(kind, 40), 12).padEnd(12)} ${cutTo(safe(process, 60), 16).padEnd(16)} `;
      const often = times === 1 ? '' : ` (${times} times)`;
      return `${style.faint(start)}${style.code(who)}${cutTo(safe(text, 400), Math.max(20, width - 43 - often.length))}${often}`;
    }),
    ...left(moments.length, most.timeline, `hotcell events ${cutTo(safe(detonation.run ?? '', 80), 48)}`, paper),
    ...outputs.flatMap(([title = '', text = '']) => wrap(`${title}: ${safe(text, 600)}`, width, '  ')),
    '',
  ];
}

export function pictureLines({ picture: { entropy, head } }: LabReport, { style }: Paper): readonly string[] {
  if (entropy.length === 0) return [];
  const step = Math.max(1, Math.ceil(entropy.length / 64));
  const bars = entropy.filter((_, at) => at % step === 0).map((bits) => shades[Math.min(8, Math.round(bits))] ?? ' ');
  return [
    style.strong('Entropy from begin to end, and the first bytes'),
    `  ${bars.join('')}`,
    ...hexLines(head, 4).map((line) => style.faint(`  ${line}`)),
    '',
  ];
}

export function missingLines(report: LabReport, paper: Paper): readonly string[] {
  const { style, width } = paper;
  const gaps = gapsOf(report);
  const { absent, others } = splitNotRun(report);
  return [
    ...(gaps.length === 0
      ? []
      : [style.strong('Not whole'), ...gaps.map((gap) => `  ${style.warn('!')} ${cutTo(safe(gap), width - 4)}`), '']),
    ...(report.not_run.length === 0
      ? []
      : [
          style.strong(`Not run (${report.not_run.length})`),
          ...(absent.length === 0
            ? []
            : wrap(`not installed there: ${absent.map(({ id }) => safe(id, 60)).join(', ')}`, width, '  ').map(
                style.faint,
              )),
          ...others
            .slice(0, most.notRun)
            .flatMap(({ id, because }) => wrap(`${safe(id, 60)}: ${safe(because, 300)}`, width, '  ').map(style.faint)),
          ...left(others.length, most.notRun, '--format json has all', paper),
          '',
        ]),
  ];
}
