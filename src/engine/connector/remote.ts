import { HostError } from '../../base/errors.ts';
import { show } from './checks.ts';
import type { Connector, ConnectorId, ExecResult } from './contract.ts';
import type { Wire } from './lane.ts';
import { makeAsk } from './remote-ask.ts';
import { listThere, makeFolderThere, realPathThere, statThere } from './remote-files.ts';
import { getThere, putThere } from './remote-transfer.ts';
import { type GuardedOptions, runGuarded } from './run-guarded.ts';
import { fillNewFile } from './transfer.ts';

const checkMs = 30_000;

/** Everything that docker and ssh have in common: all that is asked of a wire is to begin a command. */
export function openRemote(id: ConnectorId, place: string, wire: Wire): Connector {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  const run = (argv: readonly string[], options: GuardedOptions): Promise<ExecResult> => {
    if (closing.signal.aborted) return Promise.reject(new HostError(`the connection to ${place} was closed`));
    const signals = options.signal === undefined ? [closing.signal] : [closing.signal, options.signal];
    const result = runGuarded(wire, argv, { ...options, signal: AbortSignal.any(signals) });
    const noted = result.catch(() => undefined).finally(() => running.delete(noted));
    running.add(noted);
    return result;
  };
  const ask = makeAsk(run);

  const exec: Connector['exec'] = (argv, { input, ...options }) => {
    if (input === undefined || input.length === 0) return run(argv, options);
    const chunks = (async function* () {
      yield input;
    })();
    return run(argv, { ...options, source: { sizeBytes: input.length, chunks } });
  };

  const connector: Connector = {
    id,
    place,
    exec,
    async check() {
      const { code, stdout, stderr } = await run(['/bin/sh', '-c', 'echo ready'], { timeoutMs: checkMs, cwd: '/' });
      if (code === 0 && stdout.toString() === 'ready\n') return;
      throw new HostError(`commands do not work in ${place}: ${show(Buffer.concat([stdout, stderr]))}`, {
        hint: 'it has to have /bin/sh and coreutils or busybox, and nothing that prints at login',
      });
    },
    shell: (line, options) => exec(['/bin/sh', '-c', line], options),
    put: (path, source, options) => putThere(ask, path, source, options),
    async get(path, options) {
      const chunks: Buffer[] = [];
      const receipt = await getThere(ask, path, options, (chunk) => {
        chunks.push(chunk);
      });
      return { content: Buffer.concat(chunks), receipt };
    },
    getToFile: (path, file, options) => fillNewFile(file, (take) => getThere(ask, path, options, take)),
    stat: (path, signal) => statThere(ask, path, signal),
    realPath: (path, signal) => realPathThere(ask, path, signal),
    list: (path, most, signal) => listThere(ask, path, most, signal),
    makeFolder: (path, signal) => makeFolderThere(ask, path, signal),
    async close() {
      closing.abort();
      await Promise.all(running);
      await wire.close();
    },
    [Symbol.asyncDispose]: () => connector.close(),
  };
  return connector;
}
