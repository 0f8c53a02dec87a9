import type { UntrustedJson } from '../../../base/event-schema.ts';
import type { RunDifference } from '../../../instruments/analyze/difference/index.ts';
import { count, type Terminal, wrap } from '../terminal/index.ts';
import { paintSeverity } from './paint.ts';
import { cutToFit, safe, safeBytes } from './safe.ts';

/** Two runs beside each other, for a person: what is worse first, then what is new and what is gone. */

const shownLines = 30;

type Mark = '+' | '-' | '~' | '?';
type Line = readonly [mark: Mark, text: string];

function named(value: UntrustedJson): string {
  return safeBytes(value, 400);
}

function hostText({ host, ports, isDeclared, leaks }: RunDifference['behaviour']['hosts']['new'][number]): string {
  const notes = [...(isDeclared ? [] : ['not declared']), ...(leaks > 0 ? [`${count(leaks, 'leak')}`] : [])];
  return `${named(host)}${ports.length === 0 ? '' : `:${ports.join(',')}`}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}

function fileText({ access, is, path }: RunDifference['behaviour']['files']['new'][number]): string {
  const what = path === null ? (is === 'own' ? 'its own files' : 'files of the system') : named(path);
  return `${access} ${what}${is === 'decoy' ? ' (bait)' : ''}`;
}

function pairs<T>(
  { new: added, gone }: { readonly new: readonly T[]; readonly gone: readonly T[] },
  text: (entry: T) => string,
): readonly Line[] {
  return [...added.map((entry): Line => ['+', text(entry)]), ...gone.map((entry): Line => ['-', text(entry)])];
}

function toolLines({ tools }: RunDifference): readonly Line[] {
  const changes = tools.changed.flatMap(({ name, fields, difference }): readonly Line[] => [
    ['~', `${named(name)}: ${fields.join(', ')}`],
    ...difference
      .filter(({ is }) => is !== 'same')
      .slice(0, 8)
      .map(({ is, text }): Line => [is === 'added' ? '+' : '-', `  ${named(text)}`]),
  ]);
  return [
    ...tools.added.map(({ name }): Line => ['+', named(name)]),
    ...tools.removed.map(({ name }): Line => ['-', named(name)]),
    ...changes,
  ];
}

function findingLines({ findings }: RunDifference, { style }: Terminal): readonly Line[] {
  type Entry = RunDifference['findings']['new'][number];
  const text = ({ severity, evidenceClass, title, id }: Entry): string =>
    `${paintSeverity(severity, style)} ${evidenceClass}  ${safe(title)}  ${style.faint(id.slice(0, 8))}`;
  return [
    ...findings.new.map((entry): Line => ['+', text(entry)]),
    ...findings.changed.map(
      ({ finding, before }): Line => ['~', `${text(finding)}, was ${before.severity} ${before.evidenceClass}`],
    ),
    ...findings.fixed.map((entry): Line => ['-', text(entry)]),
    ...findings.unknown.map((entry): Line => ['?', `${text(entry)}, nobody knows: the second run is incomplete`]),
  ];
}

function verdictLines({ verdict }: RunDifference): readonly Line[] {
  if (verdict === null || !verdict.isChanged) return [];
  const risk = (value: number | null): string => (value === null ? 'unknown' : String(value));
  return [
    [
      '~',
      `${verdict.band.before} (risk ${risk(verdict.risk.before)}) to ${verdict.band.after} (risk ${risk(verdict.risk.after)})`,
    ],
    ...verdict.axes.map(({ axis, before, after }): Line => ['~', `${axis}: ${safe(before)} to ${safe(after)}`]),
  ];
}

function section(title: string, lines: readonly Line[], terminal: Terminal): string {
  if (lines.length === 0) return '';
  const { style, width } = terminal;
  const paint: Readonly<Record<Mark, (text: string) => string>> = {
    '+': style.warn,
    '-': style.good,
    '~': style.strong,
    '?': style.warn,
  };
  // A colour may begin in what is cut, so only plain text is.
  const shorten = (text: string): string => (text.includes('\u001b') ? text : cutToFit(text, width - 4, terminal));
  const shown = lines.slice(0, shownLines).map(([mark, text]) => `  ${paint[mark](mark)} ${shorten(text)}\n`);
  const more = lines.length > shownLines ? [`  ${style.faint(`and ${lines.length - shownLines} more: --json`)}\n`] : [];
  return `\n${style.strong(title)}\n${[...shown, ...more].join('')}`;
}

function summary(difference: RunDifference, { style, width }: Terminal): string {
  const { isSame, isWorse, worse, needsMore } = difference;
  if (isSame) return `${style.good('the same')} in tools, behaviour, permissions and findings\n`;
  if (!isWorse) return `${style.good('not worse')}${needsMore ? ', but it needs more than before' : ''}\n`;
  const reasons = worse.slice(0, 8).flatMap((reason) => {
    const [first = '', ...rest] = wrap(safe(reason), Math.min(width, 110) - 4);
    return [`  ! ${first}`, ...rest.map((line) => `    ${line}`)];
  });
  return `${style.bad(style.strong('worse'))}\n${reasons.join('\n')}\n`;
}

export function renderDifference(difference: RunDifference, terminal: Terminal): string {
  const { before, after, behaviour, permissions, notes } = difference;
  const { style } = terminal;
  const side = (text: string, isComplete: boolean): string =>
    `${safe(text)}${isComplete ? '' : style.warn('  incomplete')}\n`;
  return [
    `${style.faint('before')}  ${side(before.title, before.isComplete)}`,
    `${style.faint('after ')}  ${side(after.title, after.isComplete)}\n`,
    summary(difference, terminal),
    ...notes.map((note) => `${style.warn(`note: ${safe(note)}`)}\n`),
    section('Verdict', verdictLines(difference), terminal),
    section('Findings', findingLines(difference, terminal), terminal),
    section('Tools', toolLines(difference), terminal),
    section('Hosts', pairs(behaviour.hosts, hostText), terminal),
    section('Files', pairs(behaviour.files, fileText), terminal),
    section(
      'Programs',
      pairs(behaviour.programs, ({ program }) => named(program)),
      terminal,
    ),
    section(
      'Permissions',
      pairs(permissions, ({ subject, what }) => `${subject}: ${safe(what)}`),
      terminal,
    ),
  ].join('');
}
