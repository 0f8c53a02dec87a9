import { isObject, type JsonObject } from '../../../base/json-shape.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Message } from '../contract.ts';
import { isRawNumber } from '../stream/exact-json.ts';

/** Every text of a message with the place it stands in, and a way to change texts without changing anything else. */

export interface Text {
  readonly text: string;
  readonly path: readonly (string | number)[];
  /**
   * `text` is read by people and models. `name` is compared by programs: a tool, an address, a member of a schema; it must
   * not be changed. `binary` is base64 of something else.
   */
  readonly kind: 'text' | 'name' | 'binary';
}

/** Who reads the strings in a part of a message. */
type Region = 'protocol' | 'schema' | 'free';

const protocolNames: ReadonlySet<string> = new Set([
  ...[
    'name',
    'uri',
    'uriTemplate',
    'type',
    'mimeType',
    'method',
    'cursor',
    'nextCursor',
    'requestState',
    'progressToken',
  ],
  ...['taskId', 'requestId', 'protocolVersion', 'role', 'level', 'id', 'version', 'websiteUrl', 'src', 'elicitationId'],
  ...['stopReason', 'resultType', 'action', 'lastModified', 'url', 'status'],
]);
const schemaTexts: ReadonlySet<string> = new Set(['description', 'title', '$comment']);
const regions: ReadonlyMap<string, Region> = new Map([
  ['arguments', 'free'],
  ['structuredContent', 'free'],
  ['data', 'free'],
  ['_meta', 'free'],
  ['inputSchema', 'schema'],
  ['outputSchema', 'schema'],
  ['requestedSchema', 'schema'],
]);

function regionOf(region: Region, key: string | number): Region {
  return region === 'protocol' && typeof key === 'string' ? (regions.get(key) ?? region) : region;
}

function kindOf(region: Region, key: string | number, owner: unknown): Text['kind'] {
  if (region === 'free') return 'text';
  if (region === 'schema') return typeof key === 'string' && schemaTexts.has(key) ? 'text' : 'name';
  if (key === 'blob') return 'binary';
  if (key === 'data' && isObject(owner) && (owner.type === 'image' || owner.type === 'audio')) return 'binary';
  return typeof key === 'string' && protocolNames.has(key) ? 'name' : 'text';
}

/** The part of a message that says something. */
export function bodyOf({ value, kind }: Message): 'params' | 'result' | 'error' {
  if (kind !== 'response') return 'params';
  return Object.hasOwn(value, 'result') ? 'result' : 'error';
}

interface Walk {
  readonly path: (string | number)[];
  visit(text: string, kind: Text['kind'], path: readonly (string | number)[]): string;
}

/** Gives back the very same value where nothing was changed. */
function walkValue(value: unknown, region: Region, key: string | number, owner: unknown, walk: Walk): unknown {
  if (typeof value === 'string')
    return walk.visit(value, region === 'free' ? 'text' : kindOf(region, key, owner), walk.path);
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  const inside = regionOf(region, key);
  if (Array.isArray(value)) {
    let changed: unknown[] | null = null;
    for (const [at, item] of value.entries()) {
      walk.path.push(at);
      // A list of texts is what its own key says.
      const next = walkValue(item, inside, typeof item === 'string' ? key : at, owner, walk);
      walk.path.pop();
      if (next !== item) {
        changed ??= [...value];
        changed[at] = next;
      }
    }
    return changed ?? value;
  }
  return walkRecord(value as JsonObject, inside, walk);
}

function walkRecord(value: JsonObject, region: Region, walk: Walk): JsonObject {
  let changed: [string, unknown][] | null = null;
  const entries = Object.entries(value);
  for (const [at, [key, item]] of entries.entries()) {
    walk.path.push(key);
    // Keys can carry text too; changing one would change the shape.
    if (region !== 'protocol') walk.visit(key, 'name', walk.path);
    const next = walkValue(item, region, key, value, walk);
    walk.path.pop();
    if (next !== item) {
      changed ??= [...entries];
      changed[at] = [key, next];
    }
  }
  // `__proto__` is a key like any other here.
  return changed === null ? value : Object.fromEntries(changed);
}

export function textsOf(message: Message): readonly Text[] {
  const texts: Text[] = [];
  const body = bodyOf(message);
  const visit: Walk['visit'] = (text, kind, path) => {
    texts.push({ text, kind, path: [...path] });
    return text;
  };
  walkValue(message.value[body], 'protocol', body, message.value, { path: [body], visit });
  return texts;
}

/** Only texts are offered for change. */
export function changeTexts(
  message: Message,
  change: (text: string, path: readonly (string | number)[]) => string,
): JsonObject {
  const body = bodyOf(message);
  const before = message.value[body];
  const visit: Walk['visit'] = (text, kind, path) => (kind === 'text' ? change(text, path) : text);
  const after = walkValue(before, 'protocol', body, message.value, { path: [body], visit });
  return after === before ? message.value : { ...message.value, [body]: after };
}

const longestPath = 200;

/** For people: keys are the sender's words. */
export function showPath(path: readonly (string | number)[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return forTerminal(untrusted(text.replace(/^\./, ''), longestPath));
}
