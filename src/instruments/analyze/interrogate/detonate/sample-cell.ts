import { PassThrough } from 'node:stream';
import type { BoxProcess } from '../../../../engine/box/contract.ts';
import { Tap } from '../../../../engine/sensor/tap.ts';
import type { ServerCell } from './server.ts';

/** A cell for tests in which every command is a function that speaks JSON-RPC over its lines. */

export interface SampleRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Name that the client gave. */
  readonly client: string;
  /** Variables that the command was started with. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Undefined: no answer. `exit`: it ends. */
export type Speaking = (request: SampleRequest) => unknown;

interface Received {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

function environmentIn(argv: readonly string[]): Readonly<Record<string, string>> {
  const pairs = argv.slice(1).map((word) => /^([A-Za-z_]\w*)=(.*)$/s.exec(word));
  return Object.fromEntries(pairs.flatMap((found) => (found === null ? [] : [[found[1] ?? '', found[2] ?? '']])));
}

export class SampleCell implements ServerCell {
  readonly network = null;
  readonly started: (readonly string[])[] = [];
  readonly #speaking: Speaking;
  running = 0;

  constructor(speaking: Speaking) {
    this.#speaking = speaking;
  }

  tap(prefix = ''): Tap {
    return new Tap(() => undefined, { started: () => undefined, ended: () => undefined }, prefix);
  }

  spawn(argv: readonly string[]): Promise<BoxProcess> {
    this.started.push(argv);
    this.running += 1;
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const ended = Promise.withResolvers<Awaited<BoxProcess['exited']>>();
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      this.running -= 1;
      stdout.end();
      stderr.end();
      ended.resolve({ code: 0, signal: null } as Awaited<BoxProcess['exited']>);
    };
    this.#listen(stdin, environmentIn(argv), (text) => void (isOver || stdout.write(text)), end);
    stdin.on('end', end);
    return Promise.resolve({ stdin, stdout, stderr, exited: ended.promise, kill: end });
  }

  #listen(
    stdin: PassThrough,
    environment: SampleRequest['environment'],
    say: (text: string) => void,
    end: () => void,
  ): void {
    let unread = '';
    let client = '';
    stdin.on('data', (chunk: Buffer) => {
      unread += chunk.toString('utf8');
      const lines = unread.split('\n');
      unread = lines.pop() ?? '';
      for (const line of lines.filter((each) => each !== '')) {
        const { id, method = '', params = {} } = JSON.parse(line) as Received;
        if (id === undefined) continue;
        if (method === 'initialize') client = (params.clientInfo as { name: string }).name;
        const result = this.#speaking({ method, params, client, environment });
        if (result === 'exit') end();
        else if (result !== undefined) say(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
      }
    });
  }
}
