import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Plan } from '../../../instruments/analyze/scan/index.ts';
import { count, type Terminal } from '../terminal/index.ts';

const safe = (text: string): string => forTerminal(untrusted(text, 2000));

/** What would be scanned; values of variables are never shown. */
export function renderPlan({ targets, configs }: Plan, { style }: Terminal): string {
  if (targets.length === 0 && configs.length === 0) {
    return 'no client of MCP servers is configured on this machine; name a target, such as npm:some-server\n';
  }
  const loose = targets.filter(({ config }) => config === undefined).map(({ spec }) => `  ${safe(spec)}\n`);
  const known = configs.map(({ path, client }) => {
    const own = targets.filter(({ config }) => config?.path === path);
    const lines = own.map(({ spec }) => `  ${safe(spec)}\n`).join('');
    return `${style.strong(safe(path))} ${style.faint(`${client}, ${count(own.length, 'server')}`)}\n${lines}`;
  });
  return [...loose, ...known].join('');
}
