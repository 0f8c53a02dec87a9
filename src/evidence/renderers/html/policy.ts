import type { Analysis } from '../../../base/analysis-schema.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { cut, type Markup, markup, nothing, type Part } from './markup.ts';
import { bytes, chip, count, duration, longTable, section } from './pieces.ts';

/** The least it proved to need, line by line with its reason, and what it wanted and will not get. */

const shown = 12;

function seen(seenIn: readonly string[] | undefined): Part {
  if (seenIn === undefined || seenIn.length === 0) return '';
  return markup`<span class="faint">seen in ${cut(seenIn.slice(0, 3).join(', '), 200)}${seenIn.length > 3 ? ` and ${seenIn.length - 3} more` : ''}</span>`;
}

function why(rule: { readonly why?: string | undefined; readonly seenIn?: readonly string[] | undefined }): Part {
  return markup`${rule.why === undefined ? '' : cut(rule.why, 400)} ${seen(rule.seenIn)}`;
}

function rulesOf({ files, network, environment, syscalls, tools = [] }: Policy): readonly (readonly Part[])[] {
  return [
    ...files.map((rule) => [
      chip(rule.access, rule.access === 'write' ? 'medium' : 'plain'),
      markup`<code>${cut(rule.path, 300)}</code>`,
      why(rule),
    ]),
    ...network.rules.map((rule) => [
      chip('connect', 'low'),
      markup`<code>${cut(rule.host, 255)}:${rule.port}</code>`,
      why(rule),
    ]),
    ...environment.map((rule) => [chip('variable'), markup`<code>${cut(rule.name, 200)}</code>`, why(rule)]),
    ...tools.map((rule) => [chip(`tool: ${rule.verdict}`), markup`<code>${cut(rule.tool, 120)}</code>`, why(rule)]),
    ...syscalls.deny.map((rule) => [chip('never'), markup`<code>${rule.name}</code>`, why(rule)]),
  ];
}

function limitsOf({ limits, network }: Policy): Markup {
  const facts: readonly (readonly [string, string])[] = [
    ['network', network.mode],
    ['memory', bytes(limits.memoryBytes)],
    ['processes', String(limits.processes)],
    ['cores', String(limits.cpuCores)],
    ['time', duration(limits.wallMs)],
    ['output', bytes(limits.outputBytes)],
    ['disk', bytes(limits.diskBytes)],
    ['one file', bytes(limits.fileBytes)],
    ['open files', String(limits.openFiles)],
  ];
  return markup`<dl class="facts">${facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function refusedList({ refused }: Analysis): Markup {
  if (refused.length === 0) return nothing;
  const rows = refused.map(({ what, why: reason, seenIn }) => [
    markup`<code>${cut(what, 300)}</code>`,
    markup`${cut(reason, 400)} ${seen(seenIn)}`,
  ]);
  return markup`<h4>Tried, and refused</h4>${longTable({ columns: [{ title: 'what' }, { title: 'why not' }] }, rows, shown, 'refused')}`;
}

export function policySection(analysis: Analysis, prefix: string): Markup {
  const { policy } = analysis;
  if (policy === null) {
    const refused = refusedList(analysis);
    return section(
      `${prefix}-policy`,
      'Least privilege',
      markup`<p class="empty">It never ran, so nothing is known about what it needs.</p>${refused}`,
    );
  }
  const rules = rulesOf(policy);
  const columns = [{ title: 'may' }, { title: 'what' }, { title: 'because' }];
  return section(
    `${prefix}-policy`,
    'Least privilege',
    markup`${limitsOf(policy)}${longTable({ columns }, rules, shown, 'lines')}${refusedList(analysis)}`,
    `What it proved to need: ${count(rules.length, 'line')}, each with its reason. As a file it is policy.json.`,
  );
}
