import type { Event, EventKind } from '../../../base/event-schema.ts';
import { forTerminal } from '../../../base/untrusted.ts';
import {
  bytesOf,
  firstText,
  isLookup,
  listOf,
  numberOf,
  peerOf,
  recordOf,
  textOf,
} from '../../../engine/sensor/history/index.ts';
import { formatBytes } from '../terminal/index.ts';
import type { Describer, Description } from './describe.ts';
import type { Tone } from './tone.ts';

/** Network events in words. The listeners record what they understood; whatever is missing is left out. */

const answerCodes: Readonly<Record<number, string>> = { 1: 'malformed', 2: 'failed', 3: 'no such name', 5: 'refused' };

const connectionTones: Readonly<Record<string, Tone>> = { refused: 'denied', failed: 'network', allowed: 'network' };

function questions({ fields }: Event): string {
  const asked = fields.questions === undefined ? [fields] : listOf(fields.questions).map(recordOf);
  const words = asked.map(({ type, name }) => [textOf(type), textOf(name)].filter((word) => word !== null).join(' '));
  return words.filter((word) => word !== '').join(', ') || 'not readable';
}

function sizeOf({ fields }: Event): string {
  const kept = recordOf(fields.bytes);
  const { base64 } = kept;
  const said = numberOf(fields.bytes) ?? numberOf(fields.sizeBytes) ?? numberOf(fields.bodyBytes);
  if (said !== null) return formatBytes(said);
  if (typeof base64 !== 'string') return '';
  const size = Math.floor((base64.replace(/=+$/, '').length * 3) / 4) + (numberOf(kept.droppedBytes) ?? 0);
  return size === 0 ? '' : formatBytes(size);
}

function urlOf(event: Event, context: Parameters<Describer>[1]): string {
  const { fields } = event;
  const whole = textOf(fields.url);
  if (whole !== null) return whole;
  const host = firstText(fields, ['host']) ?? peerOf(event, context.book)?.shown ?? '?';
  const isSecure = fields.isInsideTls === true || numberOf(recordOf(fields.asked).port) === 443;
  return `${isSecure ? 'https' : 'http'}://${host}${textOf(fields.path) ?? ''}`;
}

const network = (verb: string, subject: string, ...details: readonly (string | null)[]): Description => ({
  verb,
  subject,
  detail: details.filter((detail) => detail !== null && detail !== '').join(', '),
  tone: 'network',
  cut: 'end',
});

const toPeer =
  (verb: string): Describer =>
  (event, { book }) => {
    const { family, path } = event.fields;
    const peer = peerOf(event, book);
    const description = network(verb, peer?.shown ?? '?', peer?.address ?? null);
    return isLookup(family, textOf(path)) ? { ...description, tone: 'quiet' } : description;
  };

/** The first bytes, as far as they can be read. */
function preview({ fields }: Event): string | null {
  const bytes = bytesOf(fields.bytes) ?? bytesOf(fields.preview);
  if (bytes === null || bytes.bytes.length === 0) return null;
  return forTerminal({ ...bytes, bytes: bytes.bytes.subarray(0, 48), droppedBytes: 0 });
}

export const networkDescribers: Partial<Readonly<Record<EventKind, Describer>>> = {
  connect: toPeer('connect'),
  'send-to': toPeer('send'),
  bind: toPeer('bind'),
  listen: ({ fields }) => network('listen', `backlog ${textOf(fields.backlog) ?? '?'}`),
  'dns-query': (event) => network('dns', questions(event)),
  'dns-answer': (event, { drawing }) => {
    const code = numberOf(event.fields.code) ?? 0;
    const addresses = listOf(event.fields.addresses).map((address) => textOf(address) ?? '?');
    const answer = code === 0 ? addresses.join(' ') : (answerCodes[code] ?? `code ${code}`);
    return {
      ...network('dns', `${questions(event)}${answer === '' ? '' : ` ${drawing.arrow} ${answer}`}`),
      tone: 'quiet',
    };
  },
  'http-request': (event, context) =>
    network('http', `${textOf(event.fields.method) ?? '?'} ${urlOf(event, context)}`, sizeOf(event)),
  'http-response': (event, context) => {
    const status = [textOf(event.fields.status) ?? '?', textOf(event.fields.reason)].join(' ').trim();
    return { ...network('answer', `${status} ${urlOf(event, context)}`, sizeOf(event)), tone: 'quiet' };
  },
  'tls-hello': (event, { book }) => {
    const peer = peerOf(event, book)?.shown ?? null;
    const name = textOf(event.fields.serverName);
    const alpn = listOf(event.fields.alpn).map((each) => textOf(each) ?? '?');
    const isRefused = event.fields.isRefused === true;
    const trouble = isRefused ? `not accepted: ${textOf(event.fields.reason) ?? '?'}` : null;
    const noName = name === null && !isRefused ? 'no name in it' : null;
    return network(event.fields.isQuic === true ? 'quic' : 'tls', name ?? peer ?? '?', trouble, noName, alpn.join(' '));
  },
  connection: (event, { book }) => {
    const { fields } = event;
    const state = textOf(fields.state) ?? '?';
    const [sent, got] = [numberOf(fields.bytesRead), numberOf(fields.bytesWritten)];
    const traffic = sent === null || got === null ? null : `sent ${formatBytes(sent)}, got ${formatBytes(got)}`;
    const why = firstText(fields, ['because', 'reason', 'detail', 'problem']);
    return {
      ...network(state, peerOf(event, book)?.shown ?? '?', traffic, why),
      tone: connectionTones[state] ?? 'quiet',
      isDetailVital: why !== null,
    };
  },
  'raw-bytes': (event, { book }) => {
    const details = [textOf(event.fields.protocol), sizeOf(event), preview(event)];
    return { ...network('raw', peerOf(event, book)?.shown ?? '?', ...details), isDetailVital: true };
  },
};
