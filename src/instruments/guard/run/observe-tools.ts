import { asObject, asString } from '../../../base/json-shape.ts';
import type { MessageRule } from '../contract.ts';

const mostTools = 10_000;

/** Counts which tools are called. It never says anything but pass. */
export class ToolCalls {
  readonly counts = new Map<string, number>();
  readonly #onFirst: (tool: string) => void;

  constructor(onFirst: (tool: string) => void) {
    this.#onFirst = onFirst;
  }

  get rule(): MessageRule {
    return {
      id: 'run/tool-calls',
      title: 'which tools are called',
      methods: ['tools/call'],
      directions: ['to-server'],
      judge: ({ kind, value }) => {
        const name = kind === 'request' ? asString(asObject(value.params).name) : undefined;
        if (name !== undefined) this.#note(name);
        return { is: 'pass' };
      },
    };
  }

  #note(name: string): void {
    const before = this.counts.get(name);
    if (before === undefined && this.counts.size >= mostTools) return;
    this.counts.set(name, (before ?? 0) + 1);
    if (before === undefined) this.#onFirst(name);
  }
}
