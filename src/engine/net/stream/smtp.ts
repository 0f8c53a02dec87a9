import { BoundedBytes } from '../event.ts';
import type { Conversation, StreamListener } from '../listener.ts';
import { chunksOf } from './first-bytes.ts';

/** A mail server that takes every message (RFC 5321) and delivers none. */

const clearPorts: ReadonlySet<number> = new Set([25, 587, 2525]);
const tlsPort = 465;
const longestLine = 64 * 1024;
const host = 'mail.local';

interface Envelope {
  from: string;
  to: string[];
}

const mostRecipients = 100;

type Reply = readonly string[];

/** One line per verb. AUTH takes whatever is offered: what is offered is worth seeing. */
const replies: Readonly<Record<string, Reply>> = {
  HELO: [`250 ${host}`],
  EHLO: [`250-${host}`, '250-SIZE 52428800', '250-8BITMIME', '250-AUTH PLAIN LOGIN', '250 SMTPUTF8'],
  MAIL: ['250 2.1.0 Ok'],
  RCPT: ['250 2.1.5 Ok'],
  DATA: ['354 End data with <CR><LF>.<CR><LF>'],
  RSET: ['250 2.0.0 Ok'],
  NOOP: ['250 2.0.0 Ok'],
  VRFY: ['252 2.0.0 Cannot verify'],
  QUIT: ['221 2.0.0 Bye'],
};

function replyTo(verb: string, argument: string): Reply {
  if (verb !== 'AUTH') return replies[verb] ?? ['502 5.5.2 Command not recognised'];
  // "PLAIN" with its secret on the same line is done; "LOGIN" and a bare "PLAIN" are asked for it.
  return /^\S+\s+\S+/.test(argument) ? ['235 2.7.0 Authentication successful'] : ['334 VXNlcm5hbWU6'];
}

class SmtpSession {
  readonly #conversation: Conversation;
  readonly #capBytes: number;
  #envelope: Envelope = { from: '', to: [] };
  #message: BoundedBytes | null = null;
  /** How many more lines of an AUTH dialogue are expected. */
  #secretsDue = 0;
  hasQuit = false;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
    this.#capBytes = conversation.world.config.caps.keptBytes;
  }

  say(lines: Reply): void {
    this.#conversation.socket.write(lines.map((line) => `${line}\r\n`).join(''));
  }

  async takeLine(line: Buffer): Promise<void> {
    if (this.#message !== null) return this.#takeData(line);
    const text = line.toString('latin1');
    const bytes = new BoundedBytes(this.#capBytes);
    bytes.add(line);
    const [, word = '', argument = ''] = /^\s*(\S*)\s*(.*)$/s.exec(text) ?? [];
    const verb = this.#secretsDue > 0 ? 'SECRET' : word.toUpperCase().slice(0, 16);
    await this.#conversation.record('smtp', { fields: { step: 'command', verb }, bytes: bytes.kept() });
    if (this.#secretsDue > 0) return this.#takeSecret();
    this.#follow(verb, argument);
    this.say(replyTo(verb, argument));
  }

  #follow(verb: string, argument: string): void {
    if (verb === 'MAIL') this.#envelope = { from: argument.slice(0, 1000), to: [] };
    if (verb === 'RCPT' && this.#envelope.to.length < mostRecipients) this.#envelope.to.push(argument.slice(0, 1000));
    if (verb === 'DATA') this.#message = new BoundedBytes(this.#capBytes);
    if (verb === 'AUTH' && !/^\S+\s+\S+/.test(argument)) this.#secretsDue = /^login/i.test(argument) ? 2 : 1;
    if (verb === 'QUIT') this.hasQuit = true;
  }

  #takeSecret(): void {
    this.#secretsDue -= 1;
    this.say([this.#secretsDue > 0 ? '334 UGFzc3dvcmQ6' : '235 2.7.0 Authentication successful']);
  }

  async #takeData(line: Buffer): Promise<void> {
    if (this.#message === null) return;
    if (line.equals(Buffer.from('.'))) return this.#finishMessage();
    const isStuffed = line[0] === 0x2e;
    this.#message.add(Buffer.concat([isStuffed ? line.subarray(1) : line, Buffer.from('\r\n')]));
  }

  /** Also called when the connection ends in the middle: half a message has left the box, too. */
  async #finishMessage(): Promise<void> {
    const message = this.#message;
    this.#message = null;
    if (message === null) return;
    const { from, to } = this.#envelope;
    await this.#conversation.record('smtp', { fields: { step: 'message', from, to }, bytes: message.kept() });
    this.say(['250 2.0.0 Ok: queued']);
  }

  async end(rest: Buffer): Promise<void> {
    if (rest.length > 0) await this.takeLine(rest);
    if (this.#message !== null) await this.#finishMessage();
  }
}

export const smtpStream: StreamListener = {
  id: 'smtp',
  title: 'SMTP: takes every message and keeps it',
  claims: (port, tls) => (tls === null ? clearPorts.has(port) : port === tlsPort),
  taste: () => 'no',
  async serve(conversation) {
    const session = new SmtpSession(conversation);
    session.say([`220 ${host} ESMTP ready`]);
    let waiting = Buffer.alloc(0);
    for await (const chunk of chunksOf(conversation.socket)) {
      waiting = Buffer.concat([waiting, chunk]);
      for (let end = waiting.indexOf(10); end >= 0 && !session.hasQuit; end = waiting.indexOf(10)) {
        const line = waiting.subarray(0, end > 0 && waiting[end - 1] === 13 ? end - 1 : end);
        waiting = waiting.subarray(end + 1);
        await session.takeLine(line);
      }
      if (session.hasQuit) break;
      if (waiting.length <= longestLine) continue;
      await session.takeLine(waiting);
      waiting = Buffer.alloc(0);
    }
    await session.end(session.hasQuit ? Buffer.alloc(0) : waiting);
    conversation.socket.end();
  },
};
