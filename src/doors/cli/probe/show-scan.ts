import type { Severity } from '../../../base/finding-schema.ts';
import { worstFirst } from '../../../base/report-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { KeptScan } from '../../../instruments/probe/results/keep.ts';
import { count, formatMs, renderRows, type Style, type Terminal } from '../terminal/index.ts';

/** One scan for a person at a terminal: what was found, what could not be read, what was stopped. */

const safe = (text: unknown, most = 300): string => forTerminal(untrusted(String(text), most));

const statusTones: Readonly<Record<string, keyof Style>> = {
  completed: 'good',
  timed_out: 'warn',
  cancelled: 'warn',
  error: 'bad',
};

function tone(severity: Severity): keyof Style {
  if (severity === 'critical' || severity === 'high') return 'bad';
  return severity === 'medium' ? 'warn' : 'faint';
}

function isPair(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((each) => (isPair(each) ? each.join(': ') : shown(each))).join(', ');
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== '');
  return entries.map(([key, each]) => `${key.replaceAll('_', ' ')} ${shown(each)}`).join('; ');
}

/** Records of programs as a table of the fields that they have. */
function recordRows(findings: readonly Readonly<Record<string, unknown>>[], terminal: Terminal): string {
  const fields = [...new Set(findings.flatMap((finding) => Object.keys(finding)))].slice(0, 7);
  const head = fields.map((field) => terminal.style.faint(field.replaceAll('_', ' ')));
  const rows = findings.map((finding) => fields.map((field) => safe(shown(finding[field]), 80)));
  return renderRows([head, ...rows], { width: terminal.width });
}

function factRows(facts: readonly Readonly<Record<string, unknown>>[], terminal: Terminal): string {
  const rows = facts.map(({ name, value }) => [terminal.style.faint(safe(name, 60)), safe(shown(value))]);
  return renderRows(rows, { width: terminal.width });
}

function claimLines({ findings }: KeptScan, { style, width }: Terminal): string {
  const rows = worstFirst(findings).map(({ severity, title, locations, rule }) => [
    style[tone(severity)](severity),
    `${safe(title)}${locations[0] === undefined ? '' : style.faint(`  ${safe(locations[0].path, 120)}`)}`,
    style.faint(rule),
  ]);
  return rows.length === 0 ? '' : renderRows(rows, { width });
}

export function showScan(kept: KeptScan, terminal: Terminal): string {
  const { result } = kept;
  const { style, symbols } = terminal;
  const { tool, target, status, findings, notes, network, raw_file: rawFile } = result;
  const facts = findings.filter(({ kind }) => kind === 'fact');
  const records = findings.filter(({ kind }) => kind === undefined);
  const refused = network.refused.map(({ to, because, count: times }) => [safe(to, 100), safe(because), `${times}x`]);
  const traffic = [
    network.by === 'gate' ? 'behind the gate' : 'not behind a gate of Hotcell: the host has to keep the scope',
    ...(network.connections === null ? [] : [count(network.connections, 'connection')]),
    ...(network.requests === null || network.requests === 0 ? [] : [count(network.requests, 'request')]),
    ...(network.is_complete || network.by === 'outside' ? [] : ['the record of the wire has gaps']),
  ];
  const claims = claimLines(kept, terminal);
  const mark = status === 'completed' ? symbols.good : symbols.bad;
  return [
    `${style[statusTones[status] ?? 'faint'](mark)} ${style.strong(tool)} ${safe(target)}  ${style[statusTones[status] ?? 'faint'](status.replace('_', ' '))}, ${formatMs(result.elapsed_ms)}, ${count(kept.findings.length, 'finding')}\n`,
    ...(facts.length === 0 ? [] : [`\n${factRows(facts, terminal)}`]),
    ...(records.length === 0 ? [] : [`\n${recordRows(records, terminal)}`]),
    ...(claims === '' ? [] : [`\n${claims}`]),
    ...(notes.length === 0 ? [] : [`\n${notes.map((note) => `${style.warn('note')}  ${safe(note, 600)}\n`).join('')}`]),
    ...(refused.length === 0
      ? []
      : [`\n${style.strong('tried beyond its aim, and stopped')}\n${renderRows(refused, { width: terminal.width })}`]),
    `\n${style.faint(`scope ${result.scope.fingerprint.slice(0, 12)}; ${traffic.join(', ')}`)}\n`,
    style.faint(`${rawFile === null ? '' : `raw output ${rawFile}; `}again with hotcell probe report ${result.id}\n`),
  ].join('');
}
