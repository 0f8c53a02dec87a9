import type { CallResult, Conversation } from '../../../../targets/conversation/contract.ts';
import { answer } from '../trials/sample-observed.ts';

/** A server for tests that is a function from calls to answers, with a list of what it was asked. */

export interface Asked {
  readonly tool: string;
  readonly input: unknown;
}

export type Answering = (asked: Asked, number: number) => CallResult | string;

export class SampleConversation implements Conversation {
  readonly asked: Asked[] = [];
  readonly #answering: Answering;

  constructor(answering: Answering = () => 'done') {
    this.#answering = answering;
  }

  handshake() {
    const capabilities = {};
    return Promise.resolve({
      protocolVersion: '',
      serverName: 'sample',
      serverVersion: '1',
      capabilities,
      problems: [],
    });
  }

  list() {
    return Promise.resolve({ tools: [], prompts: [], resources: [], problems: [], raw: [] });
  }

  /** Answers a little later, as servers do. */
  async call(tool: string, input: unknown): Promise<CallResult> {
    const asked = { tool, input };
    this.asked.push(asked);
    await new Promise((resolve) => setImmediate(resolve));
    const result = this.#answering(asked, this.asked.length);
    return typeof result === 'string' ? answer(result) : result;
  }

  getPrompt(): Promise<CallResult> {
    return Promise.resolve(answer(''));
  }

  readResource(): Promise<CallResult> {
    return Promise.resolve(answer(''));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
