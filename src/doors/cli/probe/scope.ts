import { exitCodes } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { type DescribedScope, describeScope } from '../../../instruments/probe/describe.ts';
import type { ProbeFlags } from '../../settings/index.ts';
import type { Door } from '../definition.ts';
import { count, formatJson, renderRows, type Terminal } from '../terminal/index.ts';
import { withProbe } from './open.ts';

/** `hotcell probe scope`: what a scope file allows, as Hotcell reads it. */

const safe = (text: string): string => forTerminal(untrusted(text, 1000));

function describePace({ rate, concurrency }: DescribedScope): string {
  const { requests_per_second: requests, connections_per_second: connections } = rate;
  const { scans, per_target: perTarget } = concurrency;
  return `${count(requests, 'request')} and ${count(connections, 'connection')} a second; ${count(scans, 'scan')} at a time, ${perTarget} of one target`;
}

function describeTime({ not_before: from, expires, window }: DescribedScope): string {
  const parts = [from === null ? '' : `from ${from}`, expires === null ? '' : `until ${expires}`, window ?? ''];
  return parts.filter((part) => part !== '').join(', ') || 'any';
}

function describeWire({ network }: DescribedScope, isRoot: boolean): string {
  if (network === 'outside') return 'kept by the host, not by Hotcell';
  return `a gate for every scan${isRoot ? '' : '; that needs root, and this is not'}`;
}

export function renderScope(told: DescribedScope, { style, width, symbols }: Terminal, isRoot: boolean): string {
  const list = (items: readonly string[], none: string): string =>
    items.length === 0 ? none : items.map(safe).join(', ');
  const target = (name: string): string => {
    const pins = told.pins[name];
    return pins === undefined ? name : `${name} (${pins.join(', ')})`;
  };
  const rows = [
    ['fingerprint', told.fingerprint],
    [
      'allowed by',
      list(
        Object.entries(told.authorization).map(([key, value]) => `${key} ${value}`),
        '',
      ),
    ],
    ['targets', list(told.targets.map(target), '')],
    ['ports', told.ports === null ? 'all' : list(told.ports, '')],
    ['URLs', list(told.urls, 'every path')],
    ['methods', list(told.methods, 'all')],
    ['credentials', list(told.credentials, 'none')],
    ['pace', describePace(told)],
    ['time', describeTime(told)],
    ['on the wire', describeWire(told, isRoot)],
  ].map(([key = '', value = '']) => [style.faint(key), value]);
  const scanners = told.scanners.map(({ name, is_available: isAvailable, because }) => [
    isAvailable ? style.good(symbols.good) : style.warn(symbols.bad),
    name,
    ...(because === null ? [] : [because]),
  ]);
  const now = told.objection === null ? style.good('it holds now') : style.bad(safe(told.objection));
  return [
    `${style.strong(safe(told.name))}  ${now}\n`,
    renderRows(rows, { width }),
    ...told.notes.map((note) => `  ${style.warn(safe(note))}\n`),
    `\n${renderRows(scanners, { width })}`,
  ].join('');
}

export function runProbeScope(wishes: ProbeFlags & { readonly json: boolean }, door: Door): Promise<number> {
  return withProbe(wishes, door, async ({ probe }) => {
    const told = await describeScope(probe, Date.now());
    door.stdout.write(wishes.json ? formatJson(told) : renderScope(told, door.terminal, door.caller.userId === 0));
    return told.objection === null ? exitCodes.clean : exitCodes.incomplete;
  });
}
