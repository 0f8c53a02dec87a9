import { inspect } from 'node:util';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { readKnowledge } from '../arguments/index.ts';
import { createModel } from './create-model.ts';
import type { ModelLimits } from './limits.ts';
import { goodProposals, messageWith, type Reply, readTool, StandIn, sendJson } from './stand-in.ts';

/** Asks a model behind a stand-in, for tests. Whatever comes out is searched for the key. */

export const key = 'sk-secret-0123456789abcdef';
export const knowledge = readKnowledge();

export interface Asked {
  readonly limits?: Partial<ModelLimits>;
  readonly service?: string;
  readonly tools?: readonly ListedTool[];
  readonly signal?: AbortSignal;
}

export class Asking {
  readonly #open: StandIn[] = [];

  async listen(reply: Reply): Promise<StandIn> {
    const standIn = await StandIn.listen(reply);
    this.#open.push(standIn);
    return standIn;
  }

  async ask(reply: Reply, { limits = {}, service = 'anthropic', tools = [readTool], signal }: Asked = {}) {
    const standIn = await this.listen(reply);
    const model = createModel({
      ...{ service, url: standIn.url, key, model: 'some-model', knowledge },
      limits: { requestMs: 5000, totalMs: 10_000, retryMs: 1, ...limits },
    });
    const result = await model.propose(tools, signal ?? new AbortController().signal);
    const everything = `${inspect(model, { depth: 9, showHidden: true })}${JSON.stringify([model, result])}`;
    if (everything.includes(key)) throw new Error('the key came out');
    return { ...result, standIn, model };
  }

  async close(): Promise<void> {
    for (const standIn of this.#open.splice(0)) await standIn.close();
  }
}

export const good: Reply = (response) => sendJson(response, messageWith(goodProposals));
