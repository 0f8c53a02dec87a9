import { forTerminal, untrusted } from '../../../../base/untrusted.ts';
import type { AuditAnswer, AuditRequest } from '../contract.ts';

/** Requests and answers in words: for the evidence of a finding and for a command that shows it again. */

/** The first value of a header, or undefined. */
export function headerOf({ headers }: Pick<AuditAnswer, 'headers'>, name: string): string | undefined {
  return headers.find(([own]) => own === name)?.[1];
}

export function headersOf({ headers }: Pick<AuditAnswer, 'headers'>, name: string): readonly string[] {
  return headers.filter(([own]) => own === name).map(([, value]) => value);
}

/** `application/json` of `Application/JSON; charset=utf-8`; empty where there is none. */
export function mediaTypeOf(answer: Pick<AuditAnswer, 'headers'>): string {
  return (headerOf(answer, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

const jsonTypes = /^application\/(?:[a-z0-9.+-]{0,100}\+)?json$/;
export const isJsonType = (mediaType: string): boolean => jsonTypes.test(mediaType);

/** Text of a target on one line, shortened, with nothing invisible in it. */
export function quoteText(text: string, most = 200): string {
  return forTerminal(untrusted(text.slice(0, most), most * 4)) + (text.length > most ? '…' : '');
}

/** The beginning of a body. */
export function quoteBody({ body }: Pick<AuditAnswer, 'body'>, most = 300): string {
  const shown = forTerminal(untrusted(body.subarray(0, most), most), { keepLines: true });
  return shown + (body.length > most ? '…' : '');
}

const secretHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
  'x-api-key',
]);

function pathOf(url: string): string {
  if (!URL.canParse(url)) return quoteText(url);
  const { pathname, search } = new URL(url);
  return quoteText(`${pathname}${search}`, 400);
}

/** What is sent in place of a credential to see whether anybody looks at it; not a secret of anybody. */
export const madeUpSecret = 'hotcell-none';

const isSecret = (name: string, value: string): boolean =>
  secretHeaders.has(name.toLowerCase()) && value !== madeUpSecret && !value.endsWith(` ${madeUpSecret}`);

/** Values of headers that carry secrets are never shown, whoever sent them. */
function showHeader([name, value]: readonly [string, string]): string {
  return `${quoteText(name, 64)}: ${isSecret(name, value) ? '[not shown]' : quoteText(value)}`;
}

export interface ShowOptions {
  /** Headers of the answer that matter; none is shown by default. */
  readonly headers?: readonly string[];
  /** How much of the body; 0 by default. */
  readonly bodyBytes?: number;
}

export function showExchange(request: AuditRequest, answer: AuditAnswer, options: ShowOptions = {}): string {
  const { headers = [], bodyBytes = 0 } = options;
  const body = typeof request.body === 'string' ? [`> ${quoteText(request.body)}`] : [];
  return [
    `> ${request.method ?? 'GET'} ${pathOf(request.url)}`,
    ...Object.entries(request.headers ?? {}).map((header) => `> ${showHeader(header)}`),
    ...body,
    `< ${answer.status}`,
    ...answer.headers.filter(([name]) => headers.includes(name)).map((header) => `< ${showHeader(header)}`),
    ...(bodyBytes > 0 && answer.body.length > 0 ? [`< ${quoteBody(answer, bodyBytes)}`] : []),
  ].join('\n');
}

/** For a POSIX shell. */
const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** What is longer is no command any more once it is cut. */
export const longestCommand = 3000;

/** HEAD by its own flag: curl would wait for a body otherwise. */
const methodFlags = (method: string): readonly string[] =>
  method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : ['-X', method];

/**
 * A command that sends it again; what is secret has to be put in by whoever runs it. Empty where it would be too long to
 * be shown whole. `credential` is the name of the header that the client adds.
 */
export function curlOf(request: AuditRequest, credential?: string): string {
  const given = Object.entries(request.headers ?? {});
  const isAdded = credential !== undefined && !given.some(([name]) => name.toLowerCase() === credential.toLowerCase());
  const headers = [
    ...given.map(([name, value]) => `${name}: ${isSecret(name, value) ? '<secret>' : value}`),
    ...(isAdded ? [`${credential}: <secret>`] : []),
  ];
  const words = [
    'curl',
    '-ski',
    // Brackets in a URL are ranges to curl.
    ...(/[[\]{}]/.test(request.url) ? ['-g'] : []),
    ...methodFlags(request.method ?? 'GET'),
    ...headers.flatMap((header) => ['-H', header]),
    ...(typeof request.body === 'string' ? ['--data-raw', request.body] : []),
    request.url,
  ];
  const command = words.map(quoteWord).join(' ');
  return command.length > longestCommand ? '' : command;
}
