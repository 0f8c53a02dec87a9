import type { Event } from '../../base/event-schema.ts';
import { mebibyte } from '../../base/limits.ts';
import { forJson } from '../../base/untrusted.ts';
import {
  type Canary,
  createRecogniser,
  joinLabels,
  proveLeak,
  type Recogniser,
  type StreamHit,
} from '../decoy/index.ts';
import type { Sighting } from '../sensor/contract.ts';

/** Searches everything that leaves a box, by whatever way, for its canaries. */

export interface Leak {
  readonly fields: Event['fields'];
  readonly canary: string;
  /** Tells apart what is worth telling again: the same canary by another way, or to another place. */
  readonly way: string;
}

const largestFile = mebibyte;
const mostFileBytes = 16 * mebibyte;

interface Asked {
  readonly name: string | null;
  readonly address: string;
  readonly port: number;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

function bytesOf(field: unknown): Buffer {
  const value = field as Partial<Record<'text' | 'base64', string>> | null | undefined;
  if (typeof value?.base64 === 'string') return Buffer.from(value.base64, 'base64');
  return Buffer.from(value?.text ?? '', 'utf8');
}

export class LeakSearch {
  readonly #recogniser: Recogniser;
  readonly #ofFiles: Recogniser;
  #fileBytes = 0;
  unsearchedFiles = 0;
  /** Streams that go on, and the way each goes. */
  readonly #open = new Map<string, string>();

  constructor(canaries: readonly Canary[]) {
    this.#recogniser = createRecogniser(canaries);
    this.#ofFiles = createRecogniser(canaries);
  }

  /** What was not searched, because it would have taken too long: not zero means that silence proves nothing. */
  get cuts(): Readonly<Recogniser['cuts']> {
    return this.#recogniser.cuts;
  }

  /** Bytes of an endless stream, such as the output of the target. */
  stream(name: string, bytes: Uint8Array): readonly Leak[] {
    return this.#feed(name, bytes, name);
  }

  /**
   * A file on the disk of the box. It has not left, so what is not searched of files is counted apart: an install writes
   * thousands of them.
   */
  file(name: string, bytes: Uint8Array): readonly Leak[] {
    if (bytes.length > largestFile || this.#fileBytes + bytes.length > mostFileBytes) {
      this.unsearchedFiles += 1;
      return [];
    }
    this.#fileBytes += bytes.length;
    const hits = [...this.#ofFiles.feed(name, bytes), ...this.#ofFiles.end(name)];
    return hits.map((hit) => leakOf(hit, name));
  }

  /** Something that is whole, such as the arguments of a program. */
  #whole(name: string, bytes: Uint8Array, way: string): readonly Leak[] {
    return [...this.#feed(name, bytes, way), ...this.#end(name, way)];
  }

  /** Whatever of a sighting leaves the box. */
  sighting({ kind, fields }: Sighting): readonly Leak[] {
    if (kind === 'exec') return this.#arguments(fields);
    if (kind === 'message') {
      return fields.direction === 'from-target' ? this.stream('messages', bytesOf(fields.content)) : [];
    }
    const asked = fields.asked as Asked | undefined;
    if (asked === undefined) return [];
    const to = `${asked.name ?? asked.address}:${asked.port}`;
    const connection = `connection ${textOf(fields.connection)}`;
    if (kind === 'dns-query') return questionNames(fields.questions).flatMap((name) => this.#name(name));
    if (kind === 'http-request') {
      const head = `${textOf(fields.method)} ${textOf(fields.path)}\n${headerLines(fields.headers)}\n`;
      return this.#feed(connection, Buffer.concat([Buffer.from(head, 'latin1'), bytesOf(fields.bytes)]), to);
    }
    if (kind === 'raw-bytes') return this.#feed(connection, bytesOf(fields.bytes), to);
    if (kind === 'tls-hello') return this.#name(textOf(fields.serverName));
    if (kind === 'connection' && fields.state === 'closed') return this.#end(connection, to);
    return [];
  }

  #arguments({ argv }: Event['fields']): readonly Leak[] {
    if (!Array.isArray(argv)) return [];
    return this.#whole(
      'arguments',
      Buffer.concat(argv.flatMap((word) => [bytesOf(word), Buffer.from('\n')])),
      'arguments',
    );
  }

  /** A secret is cut into labels, and over several names of one zone. */
  #name(name: string): readonly Leak[] {
    if (name === '') return [];
    const zone = name.toLowerCase().replace(/\.$/, '').split('.').slice(-2).join('.');
    return this.#feed(`names of ${zone}`, joinLabels(name), `name ${zone}`);
  }

  #feed(stream: string, bytes: Uint8Array, way: string): readonly Leak[] {
    this.#open.set(stream, way);
    return this.#recogniser.feed(stream, bytes).map((hit) => leakOf(hit, way));
  }

  #end(stream: string, way: string): readonly Leak[] {
    this.#open.delete(stream);
    return this.#recogniser.end(stream).map((hit) => leakOf(hit, way));
  }

  /** Looks at what was still waiting for more. */
  close(): readonly Leak[] {
    return [...this.#open].flatMap(([stream, way]) => this.#end(stream, way));
  }
}

function headerLines(headers: unknown): string {
  if (!Array.isArray(headers)) return '';
  return headers.map((pair) => (Array.isArray(pair) ? `${pair.map(textOf).join(': ')}\n` : '')).join('');
}

function questionNames(questions: unknown): readonly string[] {
  if (!Array.isArray(questions)) return [];
  return questions.map((question) => textOf((question as { name?: unknown } | null)?.name));
}

function leakOf(hit: StreamHit, way: string): Leak {
  const { canary, vendor, kind, planted, encodings, offset, excerpt } = proveLeak(hit);
  return {
    canary,
    way,
    fields: { canary, vendor, kind, planted, via: way, encodings: [...encodings], offset, excerpt: forJson(excerpt) },
  };
}
