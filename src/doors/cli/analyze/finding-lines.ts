import type { Analysis, Proof } from '../../../base/analysis-schema.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import { worstFirst } from '../../../base/report-schema.ts';
import { placeText } from '../../../evidence/words.ts';
import { count, type Terminal, wrap } from '../terminal/index.ts';
import { paintSeverity } from './paint.ts';
import { cutToFit, safe, safeBytes } from './safe.ts';

/** Findings, each with what proves it: the call, and what the world showed. */

export interface FindingOptions {
  readonly isDetailed: boolean;
}

const widest = 110;
const lead = ' '.repeat(13);
const labelCells = 9;
const proofLines = 4;
const remedyLines = 2;
const shownProven = 20;
const shownHints = 8;

function widthOf({ width }: Terminal): number {
  return Math.min(width, widest);
}

/** One of each kind before two of any: who called, what ran, what was seen, what came of it. */
function chooseSteps(steps: Proof['steps'], isDetailed: boolean): Proof['steps'] {
  const telling = steps.filter(({ kind }) => kind !== 'target');
  if (isDetailed || telling.length <= proofLines) return telling;
  const firsts = telling.filter((step, at) => telling.findIndex(({ kind }) => kind === step.kind) === at);
  const others = telling.filter((step) => !firsts.includes(step));
  const chosen = new Set([...firsts, ...others].slice(0, proofLines));
  return telling.filter((step) => chosen.has(step));
}

/** Fields of an event keep bytes apart from text; a person reads the text. */
function readable(detail: string): string {
  return detail.replace(/\{"text":("(?:[^"\\]|\\.)*")\}/g, '$1');
}

function labelled(label: string, text: string, terminal: Terminal): string {
  const room = widthOf(terminal) - lead.length - labelCells;
  return `${lead}${terminal.style.faint(label.padEnd(labelCells))}${cutToFit(text, room, terminal)}`;
}

export function renderSteps(steps: Proof['steps'], terminal: Terminal, options: FindingOptions): readonly string[] {
  return chooseSteps(steps, options.isDetailed).map(({ kind, title, detail }) => {
    // An argument may well be called `text`: only events are made readable.
    const shown = kind === 'event' ? readable(safeBytes(detail)) : safeBytes(detail);
    return labelled(kind, shown === '' ? safe(title) : `${safe(title)}: ${shown}`, terminal);
  });
}

/** Where nothing was done to prove it: the place, and the bytes that it is about. */
function renderHint({ locations, evidence }: Finding, terminal: Terminal): readonly string[] {
  const place = locations.at(-1);
  const [first] = evidence;
  return [
    ...(place === undefined ? [] : [labelled('place', safe(placeText(place)), terminal)]),
    ...(first === undefined ? [] : [labelled('shows', safeBytes(first.excerpt, 600), terminal)]),
  ];
}

function renderRemedy(text: string, terminal: Terminal, { isDetailed }: FindingOptions): readonly string[] {
  const { style } = terminal;
  const lines = wrap(safe(text), widthOf(terminal) - lead.length - labelCells);
  const shown = isDetailed || lines.length <= remedyLines ? lines : lines.slice(0, remedyLines);
  return shown.map((line, at) => {
    const isCut = at === shown.length - 1 && shown.length < lines.length;
    return `${lead}${style.faint((at === 0 ? 'remedy' : '').padEnd(labelCells))}${style.good(isCut ? `${line} ...` : line)}`;
  });
}

function renderFinding(
  finding: Finding,
  proof: Proof | undefined,
  terminal: Terminal,
  options: FindingOptions,
): string {
  const { severity, evidenceClass, title, id, axis, rule, cwe, owasp, remediation } = finding;
  const { style } = terminal;
  const room = widthOf(terminal) - lead.length;
  const [head = '', ...rest] = wrap(safe(title), room);
  const steps =
    proof === undefined || proof.steps.length === 0
      ? renderHint(finding, terminal)
      : renderSteps(proof.steps, terminal, options);
  return [
    `${paintSeverity(severity, style)}  ${style.strong(evidenceClass)}  ${style.strong(head)}`,
    ...rest.map((line) => `${lead}${style.strong(line)}`),
    ...wrap([id, axis, rule, ...cwe, ...owasp].join(' '), room).map((line) => `${lead}${style.faint(line)}`),
    ...steps,
    ...renderRemedy(remediation, terminal, options),
  ].join('\n');
}

/** Hints by their titles alone, those of a kind together. */
function renderHints(hints: readonly Finding[], terminal: Terminal): readonly string[] {
  const { style } = terminal;
  const kinds = [...Map.groupBy(hints, ({ rule, severity }) => `${rule} ${severity}`).values()];
  const lines = kinds.slice(0, shownHints).flatMap((alike): string[] => {
    const [first] = alike;
    if (first === undefined) return [];
    const place = first.locations.at(-1);
    const where = place === undefined ? '' : `  ${safe(placeText(place))}`;
    const more = alike.length === 1 ? '' : `  + ${alike.length - 1} alike`;
    const text = cutToFit(`${safe(first.title)}${where}${more}`, widthOf(terminal) - lead.length, terminal);
    return [`${paintSeverity(first.severity, style)}  ${style.faint(first.evidenceClass)}  ${text}`];
  });
  const hidden = kinds.slice(shownHints).flat().length;
  return hidden === 0 ? lines : [...lines, `${lead}${style.faint(`${count(hidden, 'hint')} more: --details`)}`];
}

export function renderFindings(
  findings: readonly Finding[],
  { proofs }: Pick<Analysis, 'proofs'>,
  terminal: Terminal,
  options: FindingOptions,
): string {
  const { style } = terminal;
  const sorted = worstFirst(findings);
  const isShownWhole = ({ evidenceClass }: Finding): boolean =>
    options.isDetailed || evidenceClass === 'A' || evidenceClass === 'B' || evidenceClass === 'C';
  const whole = sorted.filter(isShownWhole);
  const hints = sorted.filter((finding) => !isShownWhole(finding));
  const shown = options.isDetailed ? whole : whole.slice(0, shownProven);
  const proofOf = (id: string): Proof | undefined => proofs.find(({ finding }) => finding === id);
  const cut = whole.length - shown.length;
  const blocks = [
    ...shown.map((finding) => renderFinding(finding, proofOf(finding.id), terminal, options)),
    ...(cut === 0 ? [] : [style.warn(`${count(cut, 'finding')} more: --details`)]),
    ...(hints.length === 0 ? [] : [renderHints(hints, terminal).join('\n')]),
  ];
  return blocks.join('\n\n');
}
