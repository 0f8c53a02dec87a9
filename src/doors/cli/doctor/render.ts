import { count, renderRows, type Terminal } from '../terminal/index.ts';
import type { Answer, BackendReport, CleanReport, FixReport, ProbeReport, State, ToolReport } from './report.ts';

function mark(state: State, { style, symbols }: Terminal): string {
  const marks: Readonly<Record<State, string>> = {
    works: style.good(symbols.good),
    missing: style.warn(symbols.warn),
    failed: style.bad(symbols.bad),
    'not applicable': style.faint(symbols.none),
  };
  return marks[state];
}

function answerRows(name: string, answer: Answer, terminal: Terminal): readonly (readonly string[])[] {
  const { style, symbols } = terminal;
  const summary = answer.state === 'not applicable' ? style.faint(answer.summary) : answer.summary;
  const rows = [[mark(answer.state, terminal), name, summary]];
  return answer.mend === undefined ? rows : [...rows, ['', '', `${symbols.arrow} ${style.code(answer.mend)}`]];
}

export function renderHeading(text: string, { style }: Terminal): string {
  return `${style.strong(text)}\n`;
}

export function renderKernel(probes: readonly ProbeReport[], terminal: Terminal): string {
  return renderRows(
    probes.flatMap((probe) => answerRows(probe.title, probe, terminal)),
    terminal,
  );
}

export function renderBackends(backends: readonly BackendReport[], terminal: Terminal): string {
  const { style } = terminal;
  const rows = backends.flatMap((backend) => [
    ...answerRows(backend.id, backend, terminal),
    ...backend.notes.map((note) => ['', '', style.faint(note)]),
    ...unkeptLimits(backend).map((line) => ['', '', style.faint(line)]),
  ]);
  return renderRows(rows, terminal);
}

function unkeptLimits(backend: BackendReport): readonly string[] {
  const unkept = backend.limitsInForce.filter((limit) => limit.by === 'none').map((limit) => limit.limit);
  return unkept.length === 0 ? [] : [`not limited here: ${unkept.join(', ')}`];
}

export function renderTools(tools: readonly ToolReport[], terminal: Terminal): string {
  const { style } = terminal;
  const rows = tools.map((tool) => {
    const state = tool.path === null ? (tool.isFixed ? 'missing' : 'not applicable') : 'works';
    const where = tool.path ?? style.faint(`not installed (package ${tool.package})`);
    return [mark(state, terminal), tool.id, where, style.faint(tool.usedFor)];
  });
  return renderRows(rows, terminal);
}

export function renderClean(clean: CleanReport, terminal: Terminal): string {
  const { style, symbols } = terminal;
  if (clean.removed.length + clean.kept.length === 0) return '  nothing was left behind\n';
  return renderRows(
    [
      ...clean.removed.map((path) => [style.good(symbols.good), 'removed', path]),
      ...clean.kept.map((path) => [style.warn(symbols.warn), 'kept', path]),
    ],
    terminal,
  );
}

export function renderFix(fix: FixReport, terminal: Terminal): string {
  const { style, symbols } = terminal;
  const rows = [
    ...(fix.because === undefined ? [] : [[style.faint(symbols.none), `nothing installed: ${fix.because}`]]),
    ...fix.installed.map((name) => [style.good(symbols.good), `installed ${name}`]),
    ...fix.unknown.map((name) => [style.warn(symbols.warn), `${name}: no package source of this machine has it`]),
  ];
  return renderRows(rows, terminal);
}

export function renderVerdict(backends: readonly BackendReport[], auto: string | null, { style }: Terminal): string {
  const working = backends.filter((backend) => backend.state === 'works').length;
  if (auto === null) {
    return `${style.bad('No box works here')}: Hotcell will not run anything. The lines with a command say what would change that.\n`;
  }
  return `${style.good(`${working} of ${count(backends.length, 'kind')} of box work`)}; ${style.code('auto')} takes ${style.strong(auto)}.\n`;
}
