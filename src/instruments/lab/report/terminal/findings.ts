import type { LabReport, ReportFinding } from '../schema.ts';
import { techniqueWords } from '../techniques.ts';
import { evidenceWords, type FindingGroup, groupFindings, splitGroups } from '../words.ts';
import { cutTo, type Paper, safe, wrap } from './text.ts';

const mostGrave = 30;
const mostInforming = 20;
const indent = ' '.repeat(11);

function paintSeverity(severity: ReportFinding['severity'], { style }: Paper): string {
  const text = severity.toUpperCase().padEnd(8);
  if (severity === 'critical' || severity === 'high') return style.bad(text);
  return severity === 'medium' ? style.warn(text) : style.faint(text);
}

function within(places: readonly string[]): string {
  return `in ${safe(places.slice(0, 3).join(', '), 200)}${places.length > 3 ? ` and ${places.length - 3} more` : ''}`;
}

function grave({ finding, places, isBenignNew }: FindingGroup, paper: Paper): readonly string[] {
  const { severity, title, evidence_type: type, evidence, benign, attack, mbc, source } = finding;
  const { style, width } = paper;
  const marks = [evidenceWords[type], safe(source, 60), ...attack.map(techniqueWords), ...mbc].map((mark) =>
    safe(mark, 80),
  );
  const head = wrap(safe(title), width, indent, '');
  return [
    `  ${paintSeverity(severity, paper)} ${style.strong(head[0] ?? '')}`,
    ...head.slice(1).map(style.strong),
    ...wrap(marks.join(' · '), width, indent).map(style.faint),
    ...(places.length === 0 ? [] : [style.faint(indent + cutTo(within(places), width - indent.length))]),
    ...evidence.slice(0, 3).map(({ where, text }) => {
      const place = cutTo(safe(where, 120), 40);
      return `${indent}${style.code(place)}  ${cutTo(safe(text, 400), Math.max(20, width - indent.length - place.length - 2))}`;
    }),
    ...(evidence.length > 3 ? [style.faint(`${indent}and ${evidence.length - 3} more`)] : []),
    ...(isBenignNew ? wrap(`Harmless when: ${safe(benign)}`, width, indent).map(style.faint) : []),
    '',
  ];
}

function informing({ finding, places }: FindingGroup, { style, width }: Paper): string {
  const { title, evidence } = finding;
  const place = evidence[0] === undefined ? '' : `  ${safe(evidence[0].where, 60)} ${safe(evidence[0].text, 160)}`;
  const inside = places.length === 0 ? '' : ` (${within(places)})`;
  const shown = cutTo(`${safe(title)}${inside}`, width - 4);
  return `  ${style.faint('·')} ${shown}${style.faint(cutTo(place, Math.max(1, width - 4 - [...shown].length)))}`;
}

function more(count: number, most: number, { style }: Paper): readonly string[] {
  return count > most ? [style.faint(`  ${count - most} more: --format json has all`), ''] : [];
}

export function findingLines({ findings }: LabReport, paper: Paper): readonly string[] {
  const { style } = paper;
  const parts = splitGroups(groupFindings(findings));
  const head = style.strong(`What was seen (${parts.grave.length})`);
  const main =
    parts.grave.length === 0
      ? ['  nothing that stands out; that is no proof that it is harmless', '']
      : parts.grave.slice(0, mostGrave).flatMap((group) => grave(group, paper));
  const rest =
    parts.informing.length === 0
      ? []
      : [
          style.strong(`Good to know (${parts.informing.length})`),
          ...parts.informing.slice(0, mostInforming).map((group) => informing(group, paper)),
          '',
          ...more(parts.informing.length, mostInforming, paper),
        ];
  return [head, ...main, ...more(parts.grave.length, mostGrave, paper), ...rest];
}
