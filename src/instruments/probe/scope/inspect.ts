import { findNearest } from '../../../engine/policy/nearest.ts';
import { joinPath, quote } from '../../../engine/policy/read/problem.ts';
import { isTimeZone } from './clock.ts';
import { unfitHeaders } from './credential.ts';
import { coversPorts, openPorts, readPortPart } from './port-list.ts';
import type { ScopeProblem } from './problem.ts';
import { objectToAddress } from './reach.ts';
import { tunnelMethod } from './request.ts';
import type { ScopeDocument } from './schema.ts';
import { readTarget } from './target-entry.ts';
import { readUrl } from './url-text.ts';

/** What a schema cannot say about a scope. */

type Inspection = (document: ScopeDocument) => readonly ScopeProblem[];

const problem = (what: string, ...path: readonly PropertyKey[]): ScopeProblem => ({
  path: joinPath('', ...path),
  what,
});

function doubles(texts: readonly string[], ...path: readonly PropertyKey[]): readonly ScopeProblem[] {
  return texts.flatMap((text, at) =>
    texts.indexOf(text) < at ? [problem(`${quote(text)} stands there twice`, ...path, at)] : [],
  );
}

const targets: Inspection = ({ targets: texts }) => [
  ...texts.flatMap((text, at) => {
    const entry = readTarget(text);
    return entry.is === 'fault' ? [problem(`${quote(text)}: ${entry.what}`, 'targets', at)] : [];
  }),
  ...doubles(texts, 'targets'),
];

const ports: Inspection = (document) =>
  (document.ports ?? []).flatMap((port, at) => {
    const part = readPortPart(String(port));
    return typeof part === 'string' ? [problem(`${quote(String(port))}: ${part}`, 'ports', at)] : [];
  });

const urls: Inspection = (document) => {
  const entries = document.targets.map(readTarget);
  const names = entries.flatMap((entry) => (entry.is === 'name' ? [entry.name] : []));
  const ranges = entries.flatMap((entry) => (entry.is === 'range' ? [entry.range] : []));
  const open = openPorts(document.ports);
  return (document.urls ?? []).flatMap((text, at) => {
    const say = (what: string): ScopeProblem[] => [problem(`${quote(text)}: ${what}`, 'urls', at)];
    const parts = readUrl(text);
    if ('reason' in parts) return say(`${parts.reason}. ${parts.hint}`);
    const { host, port, query } = parts;
    if (query !== '') return say('a prefix has no query; leave it out');
    if (!names.includes(host) && objectToAddress(ranges, host) !== null) {
      return say(`its host is not among the targets; add "${host}" to them`);
    }
    return coversPorts(open, { from: port, to: port }) ? [] : say(`port ${port} is not among the ports; add it`);
  });
};

const methods: Inspection = (document) => [
  ...(document.methods ?? []).flatMap((method, at) =>
    method === tunnelMethod ? [problem('CONNECT leads past every scope; leave it out', 'methods', at)] : [],
  ),
  ...doubles(document.methods ?? [], 'methods'),
];

const times: Inspection = ({ window, notBefore, expires }) => {
  const found: ScopeProblem[] = [];
  if (window?.from !== undefined && window.from === window.to) {
    found.push(problem('it opens when it closes; leave it out, or write 00:00 to 24:00', 'window'));
  }
  if (window?.timeZone !== undefined && !isTimeZone(window.timeZone)) {
    const nearest = findNearest(window.timeZone, Intl.supportedValuesOf('timeZone'));
    const meant = nearest === null ? 'write one such as Europe/Berlin' : `did you mean ${quote(nearest)}?`;
    found.push(problem(`${quote(window.timeZone)} is no time zone; ${meant}`, 'window', 'timeZone'));
  }
  for (const [key, value] of Object.entries({ notBefore, expires })) {
    if (value !== undefined && Number.isNaN(Date.parse(value))) found.push(problem('there is no such time', key));
  }
  if (notBefore !== undefined && expires !== undefined && Date.parse(notBefore) >= Date.parse(expires)) {
    found.push(problem('it expires before it begins', 'expires'));
  }
  return found;
};

const credentials: Inspection = ({ credentials: list = [] }) => [
  ...list.flatMap(({ header }, at) =>
    unfitHeaders.includes(header.toLowerCase())
      ? [problem(`${header} says how a message is sent and cannot carry a secret`, 'credentials', at, 'header')]
      : [],
  ),
  ...doubles(
    list.map(({ name }) => name),
    'credentials',
  ),
];

const inspections: readonly Inspection[] = [targets, ports, urls, methods, times, credentials];

export function inspectScope(document: ScopeDocument): readonly ScopeProblem[] {
  return inspections.flatMap((inspection) => inspection(document));
}
