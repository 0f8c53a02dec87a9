import { posix } from 'node:path';
import type { Event } from '../../../../base/event-schema.ts';
import { asArray, asObject, asString } from '../../../../base/json-shape.ts';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import type { World } from '../arguments/index.ts';
import { argvOf, fieldText, pathOf, programOf } from '../trials/event-text.ts';

/**
 * What honest calls show of a server: where a value of theirs went. A name that was opened below some folder tells the
 * root that the server keeps to; a value in a path, a command line or a request tells which trials are worth most.
 */

export interface Use {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Of this call. */
  readonly events: readonly Event[];
}

export interface Learnt {
  readonly tool: string;
  /** The folder that its names are looked up in, where it is not the planted one. */
  readonly root?: string;
  /** What it adds to a name. */
  readonly ending: string;
  /** Names below that root that honest calls asked for. */
  readonly names: readonly string[];
  /** As `Hints.likely` of the trials. */
  readonly likely: readonly { readonly class: string; readonly parameter: string }[];
}

const shortestValue = 3;
const longestValue = 200;
const mostValues = 200;
const mostNames = 8;
/** What a server may add to a name to make it a file. */
const endings = /^(?:\.[a-z0-9]{1,8})?$/i;
/** Nobody keeps the files of a tool there. */
const systemFolder = /^\/(?:proc|sys|dev|usr|lib\w*|bin|sbin|etc|run)(?:\/|$)|\/node_modules\/|\/__pycache__\//;
const fileKinds: ReadonlySet<string> = new Set(['open', 'mkdir', 'unlink', 'rename']);
/** What goes wrong with a tool that fetches what it is told to. */
const ofFetching = ['ssrf', 'exhaustion'] as const;
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'busybox', 'ash']);

interface Value {
  readonly parameter: string;
  readonly text: string;
}

/** The texts of an input that could be recognised elsewhere. */
function valuesOf(input: Use['input']): readonly Value[] {
  const found: Value[] = [];
  const walk = (value: unknown, parameter: string, depth: number): void => {
    if (found.length >= mostValues || depth > 6) return;
    if (typeof value === 'string') {
      const text = value.trim();
      if (text.length >= shortestValue && text.length <= longestValue && !/[\n\0]/.test(text)) {
        found.push({ parameter, text });
      }
    } else if (Array.isArray(value)) for (const item of value) walk(item, parameter, depth + 1);
    else for (const item of Object.values(asObject(value))) walk(item, parameter, depth + 1);
  };
  for (const [parameter, value] of Object.entries(input)) walk(value, parameter, 0);
  return found;
}

export interface Behind {
  readonly root: string;
  readonly ending: string;
  readonly name: string;
}

/** The folder below which this value was opened as this path; null when the path has nothing to do with it. */
export function rootBehind(value: string, path: string): Behind | null {
  const name = posix.normalize(value).replace(/^\/+|\/+$/g, '');
  if (name.length < shortestValue || name.startsWith('..') || systemFolder.test(path)) return null;
  const at = path.lastIndexOf(`/${name}`);
  if (at < 1) return null;
  const ending = path.slice(at + 1 + name.length);
  return endings.test(ending) ? { root: path.slice(0, at), ending, name } : null;
}

function wentTo(event: Event, { text }: Value): readonly string[] {
  if (fileKinds.has(event.kind)) {
    const path = pathOf(event.fields.path ?? event.fields.to);
    if (path === undefined || systemFolder.test(path)) return [];
    const isIn = path === posix.normalize(text) || rootBehind(text, path) !== null;
    return isIn ? ['path-traversal'] : [];
  }
  if (event.kind === 'exec') {
    const argv = argvOf(event);
    if (!argv.some((word) => word.includes(text))) return [];
    return shells.has(programOf(event)) ? ['command-injection'] : ['argument-injection'];
  }
  if (event.kind === 'http-request') {
    const host = fieldText(event.fields.host);
    return host !== undefined && host !== '' && text.toLowerCase().includes(host) ? ofFetching : [];
  }
  if (event.kind !== 'dns-query') return [];
  const names = asArray(event.fields.questions).map((question) => asString(asObject(question).name) ?? '');
  return names.some((name) => name.length > shortestValue && text.toLowerCase().includes(name)) ? ofFetching : [];
}

/** A path that the server opened by itself and whose name its own words mention: that is where its files are. */
function mentioned({ description = '', inputSchema }: ListedTool, events: readonly Event[]): Behind | null {
  let words = description;
  try {
    words += ` ${JSON.stringify(inputSchema) ?? ''}`;
  } catch {
    // A schema that cannot be written says nothing.
  }
  const names = new Set(words.slice(0, 20_000).match(/[\w-]+\.[a-z]\w{1,4}\b/gi) ?? []);
  if (names.size === 0) return null;
  for (const { kind, fields } of events) {
    const path = kind === 'open' ? pathOf(fields.path) : undefined;
    if (path === undefined || systemFolder.test(path)) continue;
    const name = posix.basename(path);
    if (names.has(name) && name !== 'package.json') return { root: posix.dirname(path), ending: '', name };
  }
  return null;
}

function isPlanted(root: string, world: World): boolean {
  return root === world.root || root.startsWith(`${world.root}/`) || world.root.startsWith(`${root}/`) || root === '/';
}

/** `events` are those from the start of the server to the end of its honest calls. */
export function learnFrom(
  world: World,
  tools: readonly ListedTool[],
  uses: readonly Use[],
  events: readonly Event[],
): readonly Learnt[] {
  return tools.map((tool) => {
    const likely = new Map<string, Learnt['likely'][number]>();
    const behind: Behind[] = [];
    for (const { input, events: own } of uses.filter((use) => use.tool === tool.name)) {
      const values = valuesOf(input);
      for (const event of own) {
        for (const value of values) {
          for (const each of wentTo(event, value)) {
            likely.set(`${each} ${value.parameter}`, { class: each, parameter: value.parameter });
          }
          const path = fileKinds.has(event.kind) ? pathOf(event.fields.path) : undefined;
          const found = path === undefined ? null : rootBehind(value.text, path);
          if (found !== null) behind.push(found);
        }
      }
    }
    const own = behind.filter(({ root }) => !isPlanted(root, world));
    const told = own.length > 0 ? null : mentioned(tool, events);
    const best = own[0] ?? (told !== null && !isPlanted(told.root, world) ? told : undefined);
    const names = [...new Set(own.flatMap(({ name, ending }) => `${name}${ending}`))].slice(0, mostNames);
    const known = [...likely.values()];
    // Where its files are is known, and not which argument names them: all of them may.
    const guessed =
      told === null ? [] : textParameters(tool).map((parameter) => ({ class: 'path-traversal', parameter }));
    return {
      tool: tool.name,
      ...(best === undefined ? {} : { root: best.root }),
      ending: best?.ending ?? '',
      names,
      likely: [...known, ...guessed],
    };
  });
}

function textParameters({ inputSchema }: ListedTool): readonly string[] {
  const properties = Object.entries(asObject(asObject(inputSchema).properties));
  return properties.flatMap(([name, schema]) => (asObject(schema).type === 'string' ? [name] : [])).slice(0, 8);
}
