import { type Draft, excerpt } from '../draft.ts';
import type { Conversation } from './conversations.ts';
import { rules } from './rules.ts';

/** Lines by which old protocols pass names and passwords. */
const lines: readonly (readonly [string, RegExp])[] = [
  ['FTP or POP3', /^(?:USER|PASS) \S.{0,200}/gim],
  ['IMAP', /^\w{1,10} LOGIN \S{1,100} \S{1,100}/gim],
  ['SMTP', /^(?:AUTH (?:PLAIN|LOGIN)|MAIL FROM:|RCPT TO:).{0,300}/gim],
];
const searched = 16_384;

function decodePlain(line: string): string {
  const encoded = /^AUTH PLAIN ([A-Za-z0-9+/=]{4,})/i.exec(line)?.[1];
  return encoded === undefined
    ? line
    : `${line} (${Buffer.from(encoded, 'base64').toString('latin1').replaceAll('\0', ' ').trim()})`;
}

/** Names and passwords in what a client says; also who mail is from and for. */
export function addCredentials(draft: Draft, conversation: Conversation, text: string): string[] {
  const found: string[] = [];
  const where = `${conversation.client} to ${conversation.server}:${conversation.serverPort}`;
  const part = text.slice(0, searched);
  for (const [name, pattern] of lines) {
    for (const [line] of part.matchAll(pattern)) {
      const told = excerpt(decodePlain(line.trim()), 300);
      if (found.length >= 50) return found;
      found.push(told);
      if (!/^(?:MAIL|RCPT)/i.test(line)) draft.finding(rules.credentials, `${name}, ${where}`, told);
    }
  }
  return found;
}

export function basicCredentials(header: string | undefined): string | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]{2,})$/i.exec(header ?? '')?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('latin1');
}
