import { StringDecoder } from 'node:string_decoder';
import type { BoxProcess } from '../../../src/engine/box/index.ts';
import type { SampleServer } from './sample-servers.ts';

/** Speaks MCP with a sample in its box. */

export interface Answer {
  readonly status: number | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
  /** The line as it came. */
  readonly text: string;
}

interface Message {
  readonly id?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { code: number; message: string };
}

const longestLine = 64 * 1024 * 1024;
const answerTimeoutMs = 20_000;

export class Conversation {
  readonly #child: BoxProcess;
  readonly #transport: SampleServer['transport'];
  readonly #waiting = new Map<number, (answer: Answer | null) => void>();
  readonly #decoder = new StringDecoder('utf8');
  #parts: string[] = [];
  #length = 0;
  #count = 0;
  #received = 0;
  #hasEnded = false;

  constructor(child: BoxProcess, transport: SampleServer['transport']) {
    this.#child = child;
    this.#transport = transport;
    child.stdout.on('data', (chunk: Buffer) => {
      this.#received += chunk.length;
      this.#take(this.#decoder.write(chunk));
    });
    for (const name of ['end', 'close']) child.stdout.once(name, () => this.#giveUp());
    child.stderr.resume();
    // A sample that ends early is told by the answer that does not come.
    child.stdin.on('error', () => undefined);
  }

  get receivedBytes(): number {
    return this.#received;
  }

  #giveUp(): void {
    this.#hasEnded = true;
    for (const settle of this.#waiting.values()) settle(null);
  }

  #take(text: string): void {
    const [first = '', ...lines] = text.split('\n');
    this.#keep(first);
    for (const line of lines) {
      this.#tell(this.#length > longestLine ? null : this.#parts.join(''));
      this.#parts = [];
      this.#length = 0;
      this.#keep(line);
    }
  }

  #keep(text: string): void {
    this.#length += text.length;
    if (this.#length <= longestLine) this.#parts.push(text);
  }

  /** Null for a line that was too long to be kept: it is taken for the answer to the last question. */
  #tell(text: string | null): void {
    if (text === null) {
      this.#waiting.get(this.#count)?.({ status: null, text: '' });
      return;
    }
    const { status, message } = unwrap(text, this.#transport);
    const waiting = typeof message?.id === 'number' ? this.#waiting.get(message.id) : this.#refused(status);
    waiting?.({
      status,
      text,
      ...(message?.result === undefined ? {} : { result: message.result }),
      ...(message?.error === undefined ? {} : { error: message.error }),
    });
  }

  /** HTTP refuses without naming the request; there is only one on its way. */
  #refused(status: number | null): ((answer: Answer | null) => void) | undefined {
    return status === null || status < 300 ? undefined : this.#waiting.get(this.#count);
  }

  /** Null when no answer came in time, or the sample ended. */
  async ask(method: string, params: object = {}, headers: object = {}): Promise<Answer | null> {
    this.#count += 1;
    const id = this.#count;
    const answered = new Promise<Answer | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), answerTimeoutMs);
      const settle = (answer: Answer | null): void => {
        clearTimeout(timer);
        resolve(answer);
      };
      this.#waiting.set(id, settle);
      if (this.#hasEnded) settle(null);
    });
    const message = { jsonrpc: '2.0', id, method, params };
    this.#child.stdin.write(`${JSON.stringify(this.#transport === 'stdio' ? message : { headers, message })}\n`);
    const answer = await answered;
    this.#waiting.delete(id);
    return answer;
  }

  async initialize(client = 'sample-client'): Promise<Answer | null> {
    const clientInfo = { name: client, version: '1.0.0' };
    return this.ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
  }

  async call(name: string, given: object = {}): Promise<Answer | null> {
    return this.ask('tools/call', { name, arguments: given });
  }

  /** Nothing more is said to the sample; whatever it does not answer now, it never will. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    await this.#child.exited;
  }
}

function unwrap(
  text: string,
  transport: SampleServer['transport'],
): { status: number | null; message: Message | null } {
  try {
    const value = JSON.parse(text) as Message & { status: number; message: Message | null };
    return transport === 'stdio' ? { status: null, message: value } : value;
  } catch {
    return { status: null, message: null };
  }
}
