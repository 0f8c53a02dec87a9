import { describeError } from '../../../../../base/errors.ts';
import type { Cell } from '../../../../../engine/cell/index.ts';
import type { World } from '../../arguments/index.ts';
import type { Prop } from '../../start/contract.ts';
import type { NotRaised, Raised } from './contract.ts';
import { raisePostgres } from './postgres.ts';
import { putStub, stubFolder } from './program.ts';
import { raiseRedis } from './redis.ts';

/** Makes real what a server wants to find. What cannot be made is told, and everything else goes on. */

export interface RaisedProps extends AsyncDisposable {
  /** For the launch, where it has no values of its own: addresses of services, and a PATH that begins with the stubs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Connection strings by the name of the service. */
  readonly urls: Readonly<Record<string, string>>;
  /** To be laid over the world: the database that a server works with is now this one. */
  readonly world: Partial<Pick<World, 'database' | 'databaseCanary' | 'table'>>;
  /** In words of ours. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

const searchPath = '/usr/local/bin:/usr/bin:/bin';

/** Where the witness of a database leaves its files: the folder that belongs to trials. */
function temporaryOf(cell: Cell): string {
  return `${cell.box.folders.tmp}/trials`;
}

async function raiseOne(cell: Cell, prop: Prop): Promise<Raised | NotRaised | null> {
  if (prop.kind === 'program') return putStub(cell, prop.name, prop.text);
  return prop.name === 'postgres' ? raisePostgres(cell, temporaryOf(cell)) : raiseRedis(cell);
}

export async function raiseProps(cell: Cell, props: readonly Prop[]): Promise<RaisedProps> {
  const problems: string[] = [];
  const raised: Raised[] = [];
  const urls: Record<string, string> = {};
  for (const prop of props) {
    const one = await raiseOne(cell, prop).catch((cause: unknown) => ({
      problem: `${prop.name} cannot be put into the box: ${describeError(cause)}`,
    }));
    if (one === null) continue;
    if ('problem' in one) problems.push(one.problem);
    else {
      raised.push(one);
      if (one.url !== undefined) urls[prop.name] = one.url;
    }
  }
  const hasStub = props.some(({ kind }) => kind === 'program');
  const close = async (): Promise<void> => {
    for (const each of raised) await each.close();
  };
  return {
    environment: Object.assign(
      hasStub ? { PATH: `${stubFolder(cell)}:${searchPath}` } : {},
      ...raised.map(({ environment }) => environment),
    ),
    urls,
    world: Object.assign({}, ...raised.map(({ world }) => world)),
    problems,
    close,
    [Symbol.asyncDispose]: close,
  };
}
