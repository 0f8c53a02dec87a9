import PostalMime, { type Address, type Email } from 'postal-mime';
import { bufferOf } from '../office/bytes.ts';
import type { MailAddress, Message } from './message.ts';

/** Messages as they travel. Nested ones come out as attachments, so that each is looked at by itself. */

const limits = { maxNestingDepth: 60, maxHeadersSize: 1024 * 1024, maxRfc822NestingDepth: 1 } as const;
const maximalList = 500;

function addressesOf(values: readonly Address[] | undefined): MailAddress[] {
  return (values ?? [])
    .slice(0, maximalList)
    .flatMap((value) => value.group ?? [{ name: value.name, address: value.address ?? '' }])
    .slice(0, maximalList)
    .map(({ name, address }) => ({ name: name ?? '', address: address ?? '' }));
}

function bytesOf(content: Email['attachments'][number]['content']): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}

/** Outlook and some servers put lines before the headers: an envelope line, a byte order mark, blanks. */
function withoutPreamble(bytes: Uint8Array): Uint8Array {
  const head = bufferOf(bytes.subarray(0, 4096)).toString('latin1');
  const preamble = /^(?:\xef\xbb\xbf)?\s*(?:>?From [^\r\n]*\r?\n)?/.exec(head)?.[0].length ?? 0;
  return bytes.subarray(preamble);
}

const leastLines = 80_000;
const maximalBoundaries = 10_000;

/** The reader takes its time for each line and each part: a message of nothing else is cut where it is too much. */
function withinReason(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly isCut: boolean } {
  const maximalLines = Math.max(leastLines, bytes.length / 40);
  let lines = 0;
  let boundaries = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) {
    lines += 1;
    if (bytes[at + 1] === 0x2d && bytes[at + 2] === 0x2d) boundaries += 1;
    if (lines > maximalLines || boundaries > maximalBoundaries) return { bytes: bytes.subarray(0, at), isCut: true };
  }
  return { bytes, isCut: false };
}

export async function readEml(whole: Uint8Array): Promise<Message & { readonly isCut: boolean }> {
  const { bytes, isCut } = withinReason(withoutPreamble(whole));
  const email = await PostalMime.parse(bytes, { ...limits, forceRfc822Attachments: true });
  return {
    isCut,
    headers: email.headers.slice(0, 2000).map(({ key, value }) => ({ key, value })),
    from: addressesOf(email.from === undefined ? [] : [email.from])[0] ?? null,
    sender: addressesOf(email.sender === undefined ? [] : [email.sender])[0] ?? null,
    replyTo: addressesOf(email.replyTo),
    returnPath: email.returnPath ?? '',
    to: addressesOf(email.to),
    cc: addressesOf(email.cc),
    subject: email.subject ?? '',
    date: email.date ?? '',
    messageId: email.messageId ?? '',
    text: email.text ?? '',
    html: email.html ?? '',
    attachments: email.attachments.slice(0, maximalList).map((attachment) => ({
      name: attachment.filename ?? '',
      mimeType: attachment.mimeType,
      bytes: bytesOf(attachment.content),
      isInline: attachment.disposition === 'inline' || attachment.related === true,
      isMessage: attachment.mimeType === 'message/rfc822',
    })),
  };
}
