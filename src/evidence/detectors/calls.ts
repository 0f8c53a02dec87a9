import type { Event } from '../../base/event-schema.ts';
import { rawText } from './event-fields.ts';

/** What our own calls said, so that what they asked for is not taken for the target's own idea. */

const mostCalls = 1024;
const mostStrings = 64;
const longestCall = 4096;
const mostHosts = 4096;
const namedHost = /(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+[a-z][a-z0-9-]{1,62}|\d{1,3}(?:\.\d{1,3}){3}/g;
/** Text that could lead a tool somewhere: a path, an address, a piece of code. */
const leading = /[/\\$`;|&<>(){}%*=]|\.\.|^[-.~]/;

function stringsIn(value: unknown, found: string[], depth = 0): void {
  if (found.length >= mostStrings || depth > 8) return;
  if (typeof value === 'string') found.push(value.slice(0, longestCall));
  else if (Array.isArray(value)) for (const item of value.slice(0, mostStrings)) stringsIn(item, found, depth + 1);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value).slice(0, mostStrings)) {
      found.push(key);
      stringsIn(item, found, depth + 1);
    }
}

function parameterStrings(content: string): readonly string[] {
  const found: string[] = [];
  try {
    const { params } = JSON.parse(content) as {
      readonly params?: { readonly arguments?: unknown; readonly uri?: unknown };
    };
    stringsIn(params?.arguments, found);
    stringsIn(params?.uri, found);
  } catch {
    // Cut, or a trial that is no JSON: whatever stands in it was said.
    found.push(content.slice(0, longestCall));
  }
  return found;
}

export class CallBook {
  readonly #said = new Map<string, string>();
  readonly #hosts = new Set<string>();
  readonly #hasLeading = new Set<string>();

  see({ kind, fields, call }: Event): void {
    if (kind !== 'message' || fields.direction !== 'to-target' || call === undefined) return;
    const content = rawText(fields.content) ?? '';
    if (!content.includes('"params"')) return;
    const strings = parameterStrings(content);
    const said = strings.join('\n').slice(0, longestCall);
    if (this.#hosts.size < mostHosts)
      for (const [host] of said.toLowerCase().matchAll(namedHost)) this.#hosts.add(host);
    if (strings.some((text) => leading.test(text))) this.#hasLeading.add(call);
    this.#said.set(call, said);
    if (this.#said.size <= mostCalls) return;
    for (const oldest of this.#said.keys()) {
      this.#said.delete(oldest);
      this.#hasLeading.delete(oldest);
      break;
    }
  }

  /** A call of ours named this host, or one above it. */
  isHostNamed(host: string): boolean {
    for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1))
      if (this.#hosts.has(name)) return true;
    return false;
  }

  /** The call that was in flight says this, in its arguments. */
  says({ call }: Event, text: string): boolean {
    return call !== undefined && text !== '' && (this.#said.get(call)?.includes(text) ?? false);
  }

  /** The call that was in flight could lead a tool somewhere. One that is not known could as well. */
  couldLead({ call }: Event): boolean {
    return call !== undefined && (!this.#said.has(call) || this.#hasLeading.has(call));
  }
}

/** `7:tools/call:read_note` is a call of `read_note`. */
export function toolOfCall(call: string | undefined): string {
  return /^[^:]*:tools\/call:(.+)$/.exec(call ?? '')?.[1] ?? '';
}
