import type { Event } from '../../../base/event-schema.ts';
import { minuteMs } from '../../../base/limits.ts';
import type { FileRule, Policy } from '../../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Box, DiskChange } from '../../../engine/box/index.ts';
import { Cell } from '../../../engine/cell/index.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import { searchPath } from '../../../engine/policy/tier-environment.ts';
import { carryOut, type InstallPlan, type InstallStep } from '../../../targets/install/index.ts';
import type { LaunchLimits, PrepareOptions } from './contract.ts';
import type { Interpreter } from './interpreter.ts';
import type { TreeWriter } from './write-tree.ts';

/**
 * Install scripts run in a box of their own, with an internet that is not there:
 *
 *     plan ─ files ─▶ box ─ scripts ─▶ what has changed below app/ ─▶ the tree on this machine
 *
 * Only plain files, folders and links that stay inside come back; everything else goes with the box.
 */

const longestMs = 15 * minuteMs;

export function scriptPolicy(files: readonly FileRule[]): Policy {
  const policy = tierPolicy('CRITICAL');
  return {
    ...policy,
    name: 'install',
    // Software and data of the machine that are not the system's are nobody's business here.
    files: [...policy.files.filter(({ path }) => path !== '/opt' && path !== '/srv'), ...files],
    network: { mode: 'fake', rules: [] },
    limits: { ...policy.limits, wallMs: longestMs },
  };
}

/** Native parts have to be built for the node that the server will be started with. */
export function withNode(step: InstallStep, node: Interpreter | null): InstallStep {
  if (node === null) return step;
  const bin = node.path.slice(0, node.path.lastIndexOf('/'));
  const changed = step.argv.map((word) => {
    if (word.startsWith('PATH=') && bin !== '/usr/bin') return word.replace(searchPath, `${bin}:${searchPath}`);
    if (word.startsWith('npm_node_execpath=')) return `npm_node_execpath=${node.path}`;
    if (word.startsWith('npm_config_nodedir=')) return `npm_config_nodedir=${bin.replace(/\/bin$/, '') || '/usr'}`;
    return word;
  });
  return { ...step, argv: changed };
}

export interface ScriptRun {
  readonly ran: readonly string[];
  readonly problems: readonly string[];
}

const shown = (text: string): string => forTerminal(untrusted(text, 300));

/** The path below the tree; null for what lies elsewhere, undefined for a name that is no text. */
function innerPath({ pathBytes }: DiskChange, root: string): string | null | undefined {
  const path = pathBytes.toString('utf8');
  if (!Buffer.from(path).equals(pathBytes)) return undefined;
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null;
}

const uninteresting = /^(?:\.npm|\.cache|\.node-gyp|\.pki|\.local\/share\/pip|tmp)(?:\/|$)/;

function strayProblems(changes: readonly DiskChange[], root: string, home: string): readonly string[] {
  const stray = changes
    .filter((change) => change.type !== 'folder' && innerPath(change, root) === null)
    .flatMap(({ path }) => (path.startsWith(`${home}/`) ? [path.slice(home.length + 1)] : []))
    .filter((path) => !uninteresting.test(path));
  if (stray.length === 0) return [];
  const some = stray.slice(0, 5).map((path) => shown(path));
  return [
    `install scripts also wrote ${stray.length} files outside of the package, which are gone: ${some.join(', ')}`,
  ];
}

/** Scripts of a virtual environment begin with the path of its Python, which is another one here. */
function withOwnPaths(path: string, bytes: Buffer, root: string, final: string): Buffer {
  if (!/(^|\/)bin\/[^/]+$/.test(path) || bytes.subarray(0, 2).toString('latin1') !== '#!') return bytes;
  const end = bytes.indexOf(0x0a);
  const length = end === -1 ? bytes.length : end;
  const first = bytes.subarray(0, length).toString('utf8');
  if (!first.includes(root)) return bytes;
  return Buffer.concat([Buffer.from(first.replaceAll(root, final)), bytes.subarray(length)]);
}

/** Takes over what the scripts have made. `final` is where the tree will be. */
export async function bringBack(
  box: Pick<Box, 'diff' | 'get' | 'folders'>,
  writer: TreeWriter,
  final: string,
  limits: LaunchLimits,
): Promise<readonly string[]> {
  const root = `${box.folders.home}/app`;
  const { changes, isTruncated } = await box.diff();
  const problems: string[] = [...strayProblems(changes, root, box.folders.home)];
  if (isTruncated) problems.push('install scripts made more files than can be listed');
  let bytes = 0;
  let files = 0;
  const links: { readonly path: string; readonly to: string }[] = [];
  for (const change of changes) {
    const path = innerPath(change, root);
    if (path === undefined) problems.push(`the name of a file is no text: ${shown(change.path)}`);
    if (path === undefined || path === null) continue;
    if (change.kind === 'removed') writer.remove(path);
    else if (change.type === 'folder') writer.folder(path);
    else if (change.type === 'link') links.push({ path, to: change.linkTarget ?? '' });
    else if (change.type === 'other') problems.push(`not a plain file, left out: ${shown(change.path)}`);
    else {
      files += 1;
      bytes += change.sizeBytes;
      if (files > limits.mostMadeFiles || bytes > limits.mostMadeBytes || change.sizeBytes > limits.mostFileBytes) {
        problems.push(`install scripts made more than ${limits.mostMadeFiles} files or ${limits.mostMadeBytes} bytes`);
        break;
      }
      const content = await box.get(change.pathBytes, limits.mostFileBytes);
      writer.file(path, withOwnPaths(path, content, root, final), change.mode);
    }
  }
  for (const { path, to } of links) {
    const isPython = /^venv\/bin\/python[\d.]*$/.test(path);
    if (!isPython && !writer.link(path, to, root)) problems.push(`a link that leads out was left out: ${shown(path)}`);
  }
  return problems;
}

function askedHosts(events: readonly Event[]): readonly string[] {
  const names = events.flatMap(({ kind, fields }) =>
    kind === 'dns-query' && typeof fields.name === 'string' ? [fields.name] : [],
  );
  return [...new Set(names)].slice(0, 8).map((name) => shown(name));
}

export interface ScriptPlace {
  readonly writer: TreeWriter;
  readonly final: string;
  readonly folder: string;
  readonly node: Interpreter | null;
  readonly limits: LaunchLimits;
}

export async function runScripts(
  plan: InstallPlan,
  { writer, final, folder, node, limits }: ScriptPlace,
  { box, signal }: Pick<PrepareOptions, 'box' | 'signal'>,
): Promise<ScriptRun> {
  const events: Event[] = [];
  const cell = await Cell.open(scriptPolicy(node?.files ?? []), {
    ...box,
    folder,
    phase: 'install',
    decoys: null,
    fake: { registries: [...plan.registries] },
    onEvents: (seen) => void events.push(...seen.filter(({ kind }) => kind === 'dns-query').slice(0, 100)),
  });
  const end = (): void => void cell.close().catch(() => undefined);
  signal?.addEventListener('abort', end, { once: true });
  try {
    const steps = plan.steps.map((step) => withNode(step, node));
    const outcome = await carryOut({ ...plan, problems: [], steps }, cell);
    const made = await bringBack(cell.box, writer, final, limits);
    const failed = outcome.steps.some(({ code, hasTimedOut }) => code !== 0 || hasTimedOut);
    const hosts = failed ? askedHosts(events) : [];
    const lost = hosts.length === 0 ? [] : [`install scripts have no network; they asked for ${hosts.join(', ')}`];
    return { ran: plan.steps.map(({ what }) => shown(what)), problems: [...outcome.problems, ...made, ...lost] };
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', end);
    await cell.close();
  }
}
