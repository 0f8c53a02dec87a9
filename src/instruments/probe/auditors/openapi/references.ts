import { asString, isObject, type JsonObject } from '../../../../base/json-shape.ts';
import { openapiLimits } from './limits.ts';

/** `$ref` within the document; what points elsewhere is never fetched and counts as unknown. */
export class References {
  readonly #root: JsonObject;
  #outside = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** How many pointed out of the document, or nowhere. */
  get outside(): number {
    return this.#outside;
  }

  resolve(value: unknown): JsonObject {
    let at = value;
    for (let hop = 0; hop < openapiLimits.hops; hop += 1) {
      if (!isObject(at)) return {};
      const reference = asString(at.$ref);
      if (reference === undefined) return at;
      at = this.#lookUp(reference);
    }
    this.#outside += 1;
    return {};
  }

  #lookUp(reference: string): unknown {
    if (!reference.startsWith('#/') || reference.length > 2000) {
      this.#outside += 1;
      return undefined;
    }
    let at: unknown = this.#root;
    for (const step of reference.slice(2).split('/').slice(0, openapiLimits.hops)) {
      const key = decodeStep(step);
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) {
        this.#outside += 1;
        return undefined;
      }
      at = (at as Readonly<Record<string, unknown>>)[key];
    }
    return at;
  }
}

function decodeStep(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // Taken as it stands.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
