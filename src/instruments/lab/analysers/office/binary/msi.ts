import type { Collector } from '../collector.ts';
import type { CompoundFile } from '../compound/read-compound-file.ts';
import { decodeMsiName } from './msi-names.ts';
import { readDatabase } from './msi-tables.ts';

/** Installer packages: what they install, and what they run while doing so. */

const actionKind = {
  rule: 'msi.custom-action',
  title: 'The installer runs code of its own while it installs',
  severity: 'low',
  evidenceType: 'behaviour',
  benign: 'Most installers have custom actions, for licences, services or old versions.',
  attack: ['T1218.007'],
} as const;

const scriptKind = {
  rule: 'msi.custom-action.script',
  title: 'The installer runs a script or a command line while it installs',
  severity: 'medium',
  evidenceType: 'behaviour',
  benign: 'Small scripts check for old versions or open a page when all is done.',
  attack: ['T1218.007', 'T1059'],
} as const;

const actionTypes: Readonly<Record<number, string>> = {
  1: 'library',
  2: 'program',
  5: 'JScript',
  6: 'VBScript',
  3: 'set',
  7: 'nested installer',
};
const actionSources: Readonly<Record<number, string>> = {
  0: 'binary in the package',
  16: 'installed file',
  32: 'text or folder',
  48: 'property',
};

function describeAction(type: number): { what: string; from: string } {
  const what = (type & 0x33) === 0x33 ? 'set property' : (actionTypes[type & 7] ?? 'unknown');
  return { what, from: actionSources[type & 0x30] ?? 'unknown' };
}

export function examineMsi(collector: Collector, file: CompoundFile, tick: () => void): void {
  const streams = file.entries
    .filter(({ type }) => type === 'stream')
    .map((entry) => ({ entry, ...decodeMsiName(entry.name) }));
  const tables = new Map(streams.filter(({ isTable }) => isTable).map(({ name, entry }) => [name, entry]));
  const database = readDatabase(
    {
      table: (name) => {
        const entry = tables.get(name);
        return entry === undefined ? new Uint8Array() : file.read(entry);
      },
    },
    tick,
  );
  collector.fact('document_type', 'Windows Installer package');
  collector.list('tables', database.tables, 120);
  const properties = database.rows('Property').map((row) => [String(row.Property), String(row.Value)] as const);
  collector.fact(
    'installer_properties',
    Object.fromEntries(properties.slice(0, 60).map(([key, value]) => [key.slice(0, 100), value])),
  );
  const actions = database.rows('CustomAction').map((row) => ({
    action: String(row.Action),
    ...describeAction(Number(row.Type)),
    type: Number(row.Type),
    source: String(row.Source),
    target: String(row.Target),
  }));
  collector.list('custom_actions', actions, 60);
  for (const { action, what, source, target } of actions.filter((one) => one.what !== 'set property')) {
    const kind = /Script|program/.test(what) ? scriptKind : actionKind;
    collector.finding(kind, { where: `custom action ${action}`, text: `${what}: ${source} ${target}` });
  }
  collector.text('custom actions', actions.map(({ source, target }) => `${source} ${target}`).join('\n'));
  collector.text('properties of the installer', properties.map((pair) => pair.join('=')).join('\n'));
  for (const { name, entry } of streams.filter((one) => !one.isTable && !/^\x05/.test(one.name))) {
    collector.child(
      name.replace(/^Binary\./, ''),
      file.read(entry),
      name.startsWith('Binary.') ? 'binary of the installer' : 'stream of the installer',
    );
  }
  collector.list(
    'installer_streams',
    streams.filter(({ isTable }) => !isTable).map(({ name, entry }) => ({ name, bytes: entry.size })),
    80,
  );
}
