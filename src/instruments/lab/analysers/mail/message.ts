/** A message in the form both kinds of files are read into. */

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface MailHeader {
  /** In small letters. */
  readonly key: string;
  readonly value: string;
}

export interface MailAttachment {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  readonly isInline: boolean;
  readonly isMessage: boolean;
  /** Not in the message, but at this place. */
  readonly reference?: string;
}

export interface Message {
  readonly headers: readonly MailHeader[];
  readonly from: MailAddress | null;
  readonly sender: MailAddress | null;
  readonly replyTo: readonly MailAddress[];
  readonly returnPath: string;
  readonly to: readonly MailAddress[];
  readonly cc: readonly MailAddress[];
  readonly subject: string;
  readonly date: string;
  readonly messageId: string;
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly MailAttachment[];
}

const headerLine = /^([!-9;-~]{1,100}):[ \t]*(.*)$/;

/** Headers as they stand in a message, with folded lines put together. */
export function parseHeaders(text: string): MailHeader[] {
  const headers: { key: string; value: string }[] = [];
  for (const line of text.slice(0, 1_000_000).split(/\r?\n/)) {
    const last = headers.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) {
      if (last.value.length < 20_000) last.value += ` ${line.trim()}`;
      continue;
    }
    const match = headerLine.exec(line);
    if (match !== null && headers.length < 2000)
      headers.push({ key: (match[1] ?? '').toLowerCase(), value: match[2] ?? '' });
  }
  return headers;
}

export function domainOf(address: string): string {
  return address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/[>\s.]+$/, '')
    .toLowerCase();
}
