import { randomBytes } from 'node:crypto';
import { asArray, asObject, asString, isObject, type JsonObject } from '../../../base/json-shape.ts';
import type { Hello } from './hello.ts';
import { paramsFor } from './hello.ts';
import { joinName, joinUri } from './labels.ts';
import type { GatewayLimits } from './limits.ts';
import { codes, RpcError } from './rpc.ts';
import type { ServerLink } from './server-link.ts';

/** The lists of all servers as one, in pages of our own. Who does not answer is left out, and that is said. */

interface ListKind {
  readonly method: string;
  /** What the entries stand under. */
  readonly key: string;
  readonly capability: string;
  /** The field that says which entry it is. */
  readonly id: string;
  join(label: string, own: string): string;
}

export const listKinds: readonly ListKind[] = [
  { method: 'tools/list', key: 'tools', capability: 'tools', id: 'name', join: joinName },
  { method: 'prompts/list', key: 'prompts', capability: 'prompts', id: 'name', join: joinName },
  { method: 'resources/list', key: 'resources', capability: 'resources', id: 'uri', join: joinUri },
  {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    capability: 'resources',
    id: 'uriTemplate',
    join: joinUri,
  },
];

interface Missing {
  readonly server: string;
  readonly why: string;
}

interface Snapshot {
  readonly id: string;
  readonly pages: readonly (readonly JsonObject[])[];
  readonly missing: readonly Missing[];
}

/** Where what is missing is told. */
export const missingKey = 'hotcell/missing';

export class MergedLists {
  readonly #limits: GatewayLimits;
  readonly #snapshots: Snapshot[] = [];

  constructor(limits: GatewayLimits) {
    this.#limits = limits;
  }

  async list(kind: ListKind, links: readonly ServerLink[], params: JsonObject, hello: Hello): Promise<JsonObject> {
    const cursor = asString(params.cursor);
    if (cursor !== undefined) return this.#page(kind, cursor);
    const asked = links.filter((link) => link.offers(kind.capability));
    const parts = await Promise.all(asked.map((link) => this.#listOne(kind, link, hello)));
    const gone = links.flatMap(({ name, state }) =>
      state.is === 'lost' ? [{ server: name, why: state.because }] : [],
    );
    const snapshot: Snapshot = {
      id: randomBytes(8).toString('hex'),
      pages: this.#paginate(parts.flatMap(({ entries }) => entries)),
      missing: [...gone, ...parts.flatMap(({ missing }) => missing)],
    };
    if (snapshot.pages.length > 1) {
      this.#snapshots.push(snapshot);
      this.#snapshots.splice(0, Math.max(0, this.#snapshots.length - this.#limits.snapshots));
    }
    return this.#answer(kind, snapshot, 0);
  }

  #page(kind: ListKind, cursor: string): JsonObject {
    const [id, index] = cursor.split('.');
    const snapshot = this.#snapshots.find((one) => one.id === id);
    const at = Number(index);
    if (snapshot?.pages[at] === undefined)
      throw new RpcError(codes.invalidParams, 'the cursor is not known any more: begin again');
    return this.#answer(kind, snapshot, at);
  }

  #answer({ key }: ListKind, { id, pages, missing }: Snapshot, at: number): JsonObject {
    return {
      [key]: pages[at] ?? [],
      ...(pages[at + 1] === undefined ? {} : { nextCursor: `${id}.${at + 1}` }),
      ...(missing.length === 0 ? {} : { _meta: { [missingKey]: missing } }),
    };
  }

  #paginate(entries: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
    const pages: JsonObject[][] = [[]];
    let bytes = 0;
    for (const entry of entries) {
      const size = JSON.stringify(entry).length;
      const page = pages.at(-1) ?? [];
      if (page.length > 0 && (bytes + size > this.#limits.pageBytes || page.length >= this.#limits.pageEntries)) {
        pages.push([entry]);
        bytes = size;
      } else {
        page.push(entry);
        bytes += size;
      }
    }
    return pages;
  }

  async #listOne(
    kind: ListKind,
    link: ServerLink,
    hello: Hello,
  ): Promise<{ entries: JsonObject[]; missing: Missing[] }> {
    const { pages, entries: most, listBytes, listMs } = this.#limits;
    const entries = new Map<string, JsonObject>();
    const missing = (why: string) => ({ entries: [...entries.values()], missing: [{ server: link.name, why }] });
    const deadline = performance.now() + listMs;
    const seen = new Set<string>();
    let bytes = 0;
    for (let page = 0, cursor: string | undefined; page < pages; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const timeoutMs = Math.max(1, deadline - performance.now());
      const reply = await link.ask(
        kind.method,
        {},
        {
          timeoutMs,
          params: (id) => paramsFor(params, link.isModern, hello, id),
        },
      );
      if (reply.is === 'none') return missing(reply.because);
      // Templates are a part of resources that not every server has.
      if (reply.is === 'error') {
        return reply.error.code === codes.methodNotFound
          ? { entries: [], missing: [] }
          : missing('it answered with an error');
      }
      for (const entry of asArray(reply.result[kind.key])) {
        const own = asString(asObject(entry)[kind.id]);
        if (!isObject(entry) || own === undefined || entries.has(own)) continue;
        const labelled = { ...entry, [kind.id]: kind.join(link.label, own) };
        bytes += JSON.stringify(labelled).length;
        if (entries.size >= most || bytes > listBytes)
          return missing('its list is longer than the cap: the rest is left out');
        entries.set(own, labelled);
      }
      cursor = asString(reply.result.nextCursor);
      if (cursor === undefined) return { entries: [...entries.values()], missing: [] };
      if (seen.has(cursor)) return missing('its list goes in circles');
      seen.add(cursor);
    }
    return missing('its list has more pages than the cap');
  }
}
