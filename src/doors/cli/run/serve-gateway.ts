import { exitCodes } from '../../../base/errors.ts';
import { openGateway, readGatewayConfig } from '../../../instruments/guard/gateway/index.ts';
import { exitCodeOf } from '../interrupts.ts';
import type { Serving } from './serving.ts';
import { startOne } from './start-one.ts';

/** All servers of a client config as one server: each in its own box, behind its own guard. */
export async function serveGateway(file: string, serving: Serving): Promise<number> {
  const { door, home, wishes, streams, interrupts } = serving;
  const { entries, refused, problems } = await readGatewayConfig(file);
  for (const problem of problems) streams.tell(problem);
  for (const { name, why } of refused) streams.tell(`${name}: left out: ${why}`);
  const ledger = await home.ledger;
  const gateway = openGateway({
    client: streams.client,
    recorder: { ledger, session: serving.session },
    tell: streams.tell,
    signal: interrupts.signal,
    servers: entries.map(({ name, command, args, cwd, environment }) => ({
      name,
      open: async (client, signal) => {
        const one = {
          argv: [command, ...args],
          name,
          environment: { ...environment, ...wishes.environment },
          ...(cwd === undefined ? {} : { folder: cwd }),
        };
        const session = await startOne(door, home, wishes, one, { ...streams, client, signal });
        return { ended: session.ended, close: () => session.server.close() };
      },
    })),
  });
  await gateway.ended;
  const received = interrupts.received();
  return received === null ? exitCodes.clean : exitCodeOf(received);
}
