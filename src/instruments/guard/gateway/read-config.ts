import { UsageError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { ConfiguredServer } from '../../../targets/ingest/client-config/contract.ts';
import { readClientConfig } from '../../../targets/ingest/client-config/read.ts';
import type { GatewayConfig, GatewayEntry } from './contract.ts';

function whyNot({ command, url, isDisabled }: ConfiguredServer, isTaken: boolean): string | null {
  if (url !== undefined) return 'it is reached by URL and runs elsewhere: no box of this machine holds it';
  if (command === undefined) return 'it has no command';
  if (isDisabled) return 'it is disabled in the file';
  return isTaken ? 'another server of the file has the same name' : null;
}

function toEntry({ name, command = '', args, cwd, environment }: ConfiguredServer): GatewayEntry {
  const variables = [...environment].map(([key, value]) => [key, value.reveal()]);
  return { name, command, args, ...(cwd === undefined ? {} : { cwd }), environment: Object.fromEntries(variables) };
}

/** @throws UsageError for a file that cannot be read or has no server that could be started. */
export async function readGatewayConfig(path: string): Promise<GatewayConfig> {
  const { servers, problems } = await readClientConfig(path);
  const entries: GatewayEntry[] = [];
  const refused: { name: string; why: string }[] = [];
  for (const server of servers) {
    const isTaken = entries.some(({ name }) => name === server.name);
    const why = whyNot(server, isTaken);
    if (why === null) entries.push(toEntry(server));
    else refused.push({ name: server.name, why });
  }
  const told = problems.map(({ what, line }) =>
    forTerminal(untrusted(line === undefined ? what : `line ${line}: ${what}`)),
  );
  if (entries.length === 0) {
    const reasons = [...told, ...refused.map(({ name, why }) => `${forTerminal(untrusted(name))}: ${why}`)];
    throw new UsageError(`${forTerminal(untrusted(path))} has no server that could be started`, {
      hint: reasons.slice(0, 10).join('; ') || 'servers stand under "mcpServers" or "servers", each with a "command"',
    });
  }
  return { entries, refused, problems: told };
}
