import { homedir, userInfo } from 'node:os';
import { HostError } from '../../base/errors.ts';
import { toolEnvironment } from '../../base/process.ts';
import { checkPath } from './checks.ts';
import type { Connector, ExecOptions, ExecResult } from './contract.ts';
import { openKeeper } from './keeper.ts';
import { getHere, listHere, makeFolderHere, putHere, realPathHere, statHere } from './local-files.ts';
import { runLocal } from './local-run.ts';
import { fillNewFile } from './transfer.ts';

export interface LocalOptions {
  /** Where commands run that say nothing else. Default: the home of the user. */
  readonly home?: string;
  /** Where programs are looked for. Default: the usual folders. */
  readonly path?: string;
}

export function openLocal(options: LocalOptions = {}): Connector {
  const home = options.home ?? homedir();
  checkPath(home, 'home');
  const { username } = userInfo();
  const environment = {
    ...toolEnvironment,
    LC_ALL: 'C.UTF-8',
    LANG: 'C.UTF-8',
    HOME: home,
    USER: username,
    LOGNAME: username,
    TERM: 'dumb',
    ...(options.path === undefined ? {} : { PATH: options.path }),
  };
  const place = { home, environment, keeper: openKeeper() };
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  const exec = (argv: readonly string[], given: ExecOptions): Promise<ExecResult> => {
    if (closing.signal.aborted) return Promise.reject(new HostError('the connector to this machine was closed'));
    const signals = given.signal === undefined ? [closing.signal] : [closing.signal, given.signal];
    const result = runLocal(argv, { ...given, signal: AbortSignal.any(signals) }, place);
    const noted = result.catch(() => undefined).finally(() => running.delete(noted));
    running.add(noted);
    return result;
  };

  const connector: Connector = {
    id: 'local',
    place: `this machine, as ${username}`,
    async check() {
      if (closing.signal.aborted) throw new HostError('the connector to this machine was closed');
    },
    exec,
    shell: (line, given) => exec(['/bin/sh', '-c', line], given),
    put: putHere,
    async get(path, given) {
      const chunks: Buffer[] = [];
      const receipt = await getHere(path, given, (chunk) => {
        chunks.push(chunk);
      });
      return { content: Buffer.concat(chunks), receipt };
    },
    getToFile: (path, file, given) => fillNewFile(file, (take) => getHere(path, given, take)),
    stat: statHere,
    realPath: realPathHere,
    list: listHere,
    makeFolder: makeFolderHere,
    async close() {
      closing.abort();
      await Promise.all(running);
      place.keeper.close();
    },
    [Symbol.asyncDispose]: () => connector.close(),
  };
  return connector;
}
