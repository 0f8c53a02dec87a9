import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** One request and one answer as records, so that both twins are tables of functions. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** As they came, for TRACE. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly isEncrypted: boolean;
  /** Parts of the path that the route left open. */
  readonly parts: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** In place of a body: answers that never end by themselves. */
  readonly stream?: (response: ServerResponse) => void;
}

export type Handle = (asked: Asked) => Answer | Promise<Answer>;

export interface Route {
  readonly method: string;
  /** `{}` stands for one part. */
  readonly path: string;
  readonly handle: Handle;
}

export const mostBodyBytes = 256 * 1024;

export function json(status: number, value: unknown, headers: Answer['headers'] = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: `${JSON.stringify(value, null, 1)}\n`,
  };
}

export function text(status: number, body: string, type = 'text/plain'): Answer {
  return { status, headers: { 'content-type': type }, body };
}

/** Null when there is more than anybody should send. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBodyBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Undefined where it is no JSON. */
export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields of a JSON object or of a form. */
export function readFields(asked: Asked): Readonly<Record<string, unknown>> {
  const type = asked.headers['content-type'] ?? '';
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(asked.body.toString('utf8')));
  }
  const value = readJson(asked.body);
  return isRecord(value) ? value : {};
}

export interface Found {
  readonly route: Route | null;
  readonly parts: readonly string[];
  /** Methods that this path has. */
  readonly methods: readonly string[];
}

function partsOf(pattern: string, path: string): readonly string[] | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const open: string[] = [];
  for (const [index, part] of wanted.entries()) {
    const here = given[index] ?? '';
    if (part === '{}') open.push(here);
    else if (part !== here) return null;
  }
  return open;
}

export function findRoute(routes: readonly Route[], method: string, path: string): Found {
  const fitting = routes.flatMap((route) => {
    const parts = partsOf(route.path, path);
    return parts === null ? [] : [{ route, parts }];
  });
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = fitting.find(({ route }) => route.method === wanted);
  return {
    route: found?.route ?? null,
    parts: found?.parts ?? [],
    methods: [...new Set(fitting.map(({ route }) => route.method))],
  };
}

export function send(response: ServerResponse, answer: Answer, method: string): void {
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    response.setHeader(name, typeof value === 'string' ? value : [...value]);
  }
  if (answer.stream !== undefined && method !== 'HEAD') {
    answer.stream(response);
    return;
  }
  response.end(method === 'HEAD' ? undefined : answer.body);
}
