import type { Replay, ReplayVerdict, RunReport } from '../../../instruments/guard/attacks/index.ts';
import { formatMs, type Terminal } from '../terminal/index.ts';

/** One replay for people. Whatever a server said was made safe where it was kept. */

type Mark = (terminal: Terminal) => string;

const verdictLines: Readonly<Record<ReplayVerdict, Mark>> = {
  vulnerable: ({ style, symbols }) => style.bad(`${symbols.bad} vulnerable`),
  blocked: ({ style, symbols }) => style.good(`${symbols.good} blocked`),
  'not-reproducible': ({ style, symbols }) => style.warn(`${symbols.warn} not reproducible`),
};

function runLine(name: string, { version, isHit, honest, durationMs }: RunReport): string {
  const attack = isHit ? 'the attack succeeds' : 'the attack fails';
  const task = honest.works ? 'the honest task works' : 'the honest task fails';
  return `    ${name} ${version}: ${attack}, ${task} (${formatMs(durationMs)})`;
}

export function renderReplay(replay: Replay, terminal: Terminal): string {
  const { attack, verdict, says, vulnerable, fixed, guarded, stopped, notes } = replay;
  const { style } = terminal;
  const how =
    verdict === 'blocked' && stopped?.line !== null && stopped !== null
      ? `blocked by policy line ${stopped.line?.number} (${stopped.line?.text}): ${says}`
      : says;
  const runs = [
    ...(vulnerable === null ? [] : [runLine('without a policy,', vulnerable)]),
    ...(fixed === null ? [] : [runLine('without a policy,', fixed)]),
    ...(guarded === null ? [] : [runLine('under the policy,', guarded)]),
  ];
  const lines = [
    `${verdictLines[verdict](terminal)}  ${style.strong(attack.id)}  ${attack.package.name} ${attack.vulnerable}: ${attack.title}`,
    `    ${how}`,
    ...runs.map((line) => style.faint(line)),
    ...notes.map((note) => `    ${style.warn(terminal.symbols.warn)} ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}
