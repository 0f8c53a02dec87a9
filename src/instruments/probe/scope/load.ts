import { basename } from 'node:path';
import { describeError, UsageError } from '../../../base/errors.ts';
import { fingerprint } from '../../../base/fingerprint.ts';
import { readRegularFile } from '../../../base/regular-file.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { ResolveHost } from '../../../engine/net/egress/resolve-host.ts';
import { joinPath, quote } from '../../../engine/policy/read/problem.ts';
import type { Environment } from './credential.ts';
import { deepFreeze, frozenMap } from './frozen.ts';
import { notesOf } from './notes.ts';
import { pinNames } from './pin.ts';
import { openPorts } from './port-list.ts';
import { leastScope, refuseScope } from './problem.ts';
import { largestScopeBytes, readScope } from './read.ts';
import { type ScopeDocument, scopeDefaults } from './schema.ts';
import type { LoadedScope } from './scope.ts';
import { readTarget } from './target-entry.ts';
import { readUrl } from './url-text.ts';

/** A scope is read once, its names are resolved once, and what comes out cannot be changed. */

export interface ScopeMeans {
  readonly environment: Environment;
  readonly resolve: ResolveHost;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How long names may take to resolve, all together. */
  readonly resolveMs?: number;
}

async function readText(file: string): Promise<string> {
  const { bytes, isWhole } = await readRegularFile(file, { mostBytes: largestScopeBytes, links: 'followed' });
  if (!isWhole) throw new UsageError(`the scope ${quote(file)} is larger than ${largestScopeBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new UsageError(`the scope ${quote(file)} is not UTF-8 text`, { cause });
  }
}

const longestName = 200;

function nameOf(document: ScopeDocument, file: string): string {
  if (document.name !== undefined) return document.name;
  const shown = forTerminal(untrusted(basename(file).replace(/\.json$/, '')));
  return shown.slice(0, longestName) || 'scope';
}

/** A scope from text, for those that have no file. */
export async function makeScope(text: string, file: string, means: ScopeMeans): Promise<LoadedScope> {
  const document = readScope(text, file);
  const entries = document.targets.map(readTarget);
  const ranges = entries.flatMap((entry) => (entry.is === 'range' ? [entry.range] : []));
  const names = entries.flatMap((entry, at) =>
    entry.is === 'name' ? [[joinPath('', 'targets', at), entry.name] as const] : [],
  );
  const { pins, problems } = await pinNames(names, ranges, means.resolve, means.resolveMs);
  if (problems.length > 0) refuseScope(file, problems);
  const urls = (document.urls ?? []).flatMap((text) => {
    const parts = readUrl(text);
    if ('reason' in parts) return [];
    const { scheme, host, port, path, href } = parts;
    return [{ scheme, host, port, path, href }];
  });
  const written = names.map(([, name]) => name);
  return deepFreeze({
    document,
    name: nameOf(document, file),
    file,
    fingerprint: fingerprint(document),
    pins: frozenMap(pins),
    notes: notesOf(document, ranges, written, means.environment, means.now),
    ranges,
    ports: openPorts(document.ports),
    urls,
    methods: document.methods ?? [],
    rate: { ...scopeDefaults.rate, ...document.rate },
    concurrency: { ...scopeDefaults.concurrency, ...document.concurrency },
  });
}

export async function loadScope(options: ScopeMeans & { readonly file: string }): Promise<LoadedScope> {
  let text: string;
  try {
    text = await readText(options.file);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`cannot read the scope ${quote(options.file)}: ${describeError(cause)}`, {
      hint: `Write a scope file; the least is ${leastScope}`,
      cause,
    });
  }
  return makeScope(text, options.file, options);
}
