import type { Conversation } from '../listener.ts';

/** One kind of web server. The first site of the list that has an answer gives it. */

export interface HttpRequest {
  readonly method: string;
  /** Lower case, without the port. */
  readonly host: string;
  /** With the query. */
  readonly path: string;
  readonly version: string;
  /** In the order and spelling of the box. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly isSecure: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Its length is not told beforehand. */
  readonly isChunked?: boolean;
}

export interface Site {
  readonly id: string;
  readonly title: string;
  answer(request: HttpRequest, conversation: Conversation): Promise<HttpAnswer | null> | HttpAnswer | null;
}

export function headerOf(request: HttpRequest, name: string): string | null {
  return request.headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? null;
}

export function pathOnly(request: HttpRequest): string {
  return request.path.split(/[?#]/, 1)[0] ?? '/';
}

/** Decoded parts of the path; a part that cannot be decoded stays as it is. */
export function pathParts(request: HttpRequest): readonly string[] {
  const parts = pathOnly(request).split('/');
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
}

export function textAnswer(status: number, type: string, text: string): HttpAnswer {
  return { status, headers: { 'content-type': type }, body: Buffer.from(text, 'utf8') };
}

export function jsonAnswer(status: number, value: unknown): HttpAnswer {
  return textAnswer(status, 'application/json', JSON.stringify(value));
}
