import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { mebibyte } from '../../../base/limits.ts';
import type { FetchContext } from './contract.ts';

/** pip's settings: its files from the most general to the nearest, then its variables. pip itself need not be here. */
export interface PipSettings {
  /** Undefined: pip's own default, which only pip knows. */
  readonly indexUrl?: string;
  readonly extraIndexUrls: readonly string[];
  readonly findLinks: readonly string[];
  readonly hasNoIndex: boolean;
  readonly trustedHosts: readonly string[];
  readonly certificateFile?: string;
  readonly proxy?: string;
}

const largestFileBytes = mebibyte;
const sections = ['global', 'install', 'download'];
const truths = new Set(['1', 'true', 'yes', 'on', 'y', 't']);

/**
 *     [global]
 *     index-url = https://…
 *     extra-index-url =
 *         https://…
 *         https://…
 */
export function parsePipConfig(text: string): ReadonlyMap<string, string> {
  const bySection = new Map<string, Map<string, string>>();
  let section = '';
  let key = '';
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const head = /^\[([^\]]*)\]/.exec(line);
    const pair = /^([^\s=:][^=:]*?)\s*[=:]\s*(.*)$/.exec(line);
    const values = bySection.get(section) ?? new Map<string, string>();
    bySection.set(section, values);
    if (head !== null) {
      section = head[1] ?? '';
      key = '';
    } else if (/^\s/.test(line) && key !== '') values.set(key, `${values.get(key) ?? ''}\n${line.trim()}`.trim());
    else if (pair !== null) {
      key = (pair[1] ?? '').toLowerCase().replaceAll('_', '-');
      values.set(key, (pair[2] ?? '').trim());
    }
  }
  return new Map(sections.flatMap((name) => [...(bySection.get(name) ?? [])]));
}

function configFiles({ environment, home }: FetchContext): string[] {
  const given = environment.PIP_CONFIG_FILE;
  if (given === '/dev/null') return [];
  const shared = (environment.XDG_CONFIG_DIRS ?? '/etc/xdg')
    .split(delimiter)
    .map((folder) => join(folder, 'pip/pip.conf'));
  const user = environment.XDG_CONFIG_HOME ?? join(home, '.config');
  const isMac = process.platform === 'darwin';
  return [
    ...(isMac ? ['/Library/Application Support/pip/pip.conf'] : shared),
    '/etc/pip.conf',
    join(home, '.pip/pip.conf'),
    ...(isMac ? [join(home, 'Library/Application Support/pip/pip.conf')] : []),
    join(user, 'pip/pip.conf'),
    ...(environment.VIRTUAL_ENV === undefined ? [] : [join(environment.VIRTUAL_ENV, 'pip.conf')]),
    ...(given === undefined ? [] : [given]),
  ];
}

function readFile(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    return text.length > largestFileBytes ? '' : text;
  } catch {
    return '';
  }
}

function fromEnvironment(environment: FetchContext['environment']): [string, string][] {
  return Object.entries(environment).flatMap(([name, value]): [string, string][] => {
    if (!name.startsWith('PIP_') || value === undefined || value === '') return [];
    return [[name.slice('PIP_'.length).toLowerCase().replaceAll('_', '-'), value]];
  });
}

export function readPipSettings(context: FetchContext): PipSettings {
  const values = new Map([
    ...configFiles(context).flatMap((path) => [...parsePipConfig(readFile(path))]),
    ...fromEnvironment(context.environment),
  ]);
  const list = (key: string): string[] => (values.get(key) ?? '').split(/\s+/).filter((item) => item !== '');
  const [indexUrl, certificateFile, proxy] = ['index-url', 'cert', 'proxy'].map((key) => values.get(key));
  return {
    ...(indexUrl ? { indexUrl } : {}),
    extraIndexUrls: list('extra-index-url'),
    findLinks: list('find-links'),
    hasNoIndex: truths.has((values.get('no-index') ?? '').toLowerCase()),
    trustedHosts: list('trusted-host'),
    ...(certificateFile ? { certificateFile } : {}),
    ...(proxy ? { proxy } : {}),
  };
}
