import { exitCodes } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { type DescribedScope, describeScope } from '../../../instruments/probe/describe.ts';
import type { ProbeFlags } from '../../settings/index.ts';
import type { Door } from '../definition.ts';
import { formatJson, renderRows, type Terminal } from '../terminal/index.ts';
import { withProbe } from './open.ts';

/** `hotcell probe scope`: what a scope file allows, as Hotcell reads it. */

const safe = (text: string): string => forTerminal(untrusted(text, 1000));

function render(told: DescribedScope, { style, width, symbols }: Terminal): string {
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
    ['on the wire', told.network === 'gate' ? 'a gate for every scan' : 'kept by the host, not by Hotcell'],
  ].map(([key = '', value = '']) => [style.faint(key), value]);
  const scanners = told.scanners.map(({ name, is_available: isAvailable, because }) => [
    isAvailable ? style.good(symbols.good) : style.warn(symbols.bad),
    name,
    because ?? '',
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
    door.stdout.write(wishes.json ? formatJson(told) : render(told, door.terminal));
    return told.objection === null ? exitCodes.clean : exitCodes.incomplete;
  });
}
