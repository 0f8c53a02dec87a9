import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { PlannedFile, ServerReport } from '../../../instruments/guard/protect/index.ts';
import type { Terminal } from '../terminal/index.ts';
import type { ChosenFiles } from './choose-files.ts';

/** What is to be done, in words and as a difference. */

const safe = (text: string): string => forTerminal(untrusted(text, 1000));

function paintDiff(diff: string, { style }: Terminal): string {
  return diff.replace(/^([-+])(?![-+]{2} ).*$/gm, (line, sign) => (sign === '+' ? style.good(line) : style.bad(line)));
}

function rights(change: ServerReport['change']): string {
  if (change.is !== 'wrapped') return '';
  const parts = [
    ...(change.reads.length > 0 ? [`reads ${change.reads.map(safe).join(', ')}`] : []),
    ...(change.writes.length > 0 ? [`writes ${change.writes.map(safe).join(', ')}`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

const words = {
  wrapped: 'goes behind the guard',
  unwrapped: 'comes out from behind the guard',
  guarded: 'is behind the guard already',
  left: 'is left as it is',
} as const;

function renderServer({ name, change, remarks }: ServerReport, { style, symbols }: Terminal): string {
  const isChange = change.is === 'wrapped' || change.is === 'unwrapped';
  const mark = isChange ? style.good(symbols.good) : change.is === 'left' ? style.warn(symbols.warn) : symbols.none;
  const why = change.is === 'left' ? `: ${safe(change.why)}` : rights(change);
  const more = remarks.map((remark) => `      ${style.faint(safe(remark))}\n`).join('');
  return `  ${mark} ${style.strong(safe(name))} ${words[change.is]}${why}\n${more}`;
}

/** Of a restored file the words say nothing about single servers: all of it is as it was. */
function renderPlan(plan: PlannedFile, terminal: Terminal): string {
  const { style, symbols } = terminal;
  const head = `${style.strong(safe(plan.path))} ${style.faint(`(${plan.client})`)}\n`;
  const asked = plan.servers.filter(({ change }) => change.is !== 'left' || change.why !== 'not asked for');
  const isUndo = plan.action === 'config.undo';
  if (plan.is === 'refused') return `${head}  ${style.bad(symbols.bad)} refused: ${safe(plan.why ?? '')}\n`;
  if (isUndo && plan.is === 'same') return '';
  const how =
    plan.how === 'unwrapped'
      ? '  it was changed since, or its backup is lost: only the words of the guard are taken out\n'
      : plan.how === 'restored'
        ? '  it becomes what it was, byte for byte\n'
        : '';
  const servers = isUndo ? asked.filter(({ change }) => change.is === 'unwrapped') : asked;
  return head + how + servers.map((server) => renderServer(server, terminal)).join('') + paintDiff(plan.diff, terminal);
}

export function renderPlans(plans: readonly PlannedFile[], { skipped }: ChosenFiles, terminal: Terminal): string {
  const { style } = terminal;
  const left = skipped.map(({ path, why }) => `${safe(path)} ${style.faint(`is left alone: ${why}`)}\n`);
  return [...plans.map((plan) => renderPlan(plan, terminal)).filter((text) => text !== ''), ...left].join('\n');
}

/** The same for programs. */
export function plansAsJson(plans: readonly PlannedFile[]) {
  return plans.map(({ client, path, is, why, servers, diff, how }) => ({
    client,
    path,
    is,
    ...(why === undefined ? {} : { why }),
    ...(how === undefined ? {} : { how }),
    servers,
    diff,
  }));
}
