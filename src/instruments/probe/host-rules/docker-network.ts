import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { checkedInterface, checkedNetwork } from './names.ts';
import type { HeldNetwork } from './plan.ts';
import { notHeld, type RunHost } from './run-host.ts';

/** A network as the engine of this machine has it. Only that engine is asked: rules for a remote one would hold nothing. */

const networkSchema = z.object({
  Name: z.string(),
  Id: z.string().regex(/^[0-9a-f]{12,64}$/),
  Driver: z.string(),
  IPAM: z.object({ Config: z.array(z.object({ Subnet: z.string().optional() })).nullish() }).nullish(),
  Options: z.record(z.string(), z.string()).nullish(),
});

const bridgeOption = 'com.docker.network.bridge.name';

/** Reads the answer of `docker network inspect`. */
export function readDockerNetwork(text: string, name: string): HeldNetwork {
  const parsed = z.array(networkSchema).length(1).safeParse(parseJson(text));
  const [network] = parsed.success ? parsed.data : [];
  if (network === undefined) throw notHeld(`the engine described network ${name} in a form that is not known`);
  const shownName = forTerminal(untrusted(network.Name, 200));
  if (network.Name !== name)
    throw new UsageError(`${name} is not the name of a network`, { hint: `its name is ${shownName}` });
  if (network.Driver !== 'bridge') {
    throw new UsageError(`network ${name} has the driver ${forTerminal(untrusted(network.Driver, 80))}`, {
      hint: 'only traffic of a bridge passes the rules of the host: make a network with --driver bridge',
    });
  }
  const bridge = checkedInterface(network.Options?.[bridgeOption] ?? `br-${network.Id.slice(0, 12)}`);
  const subnets = (network.IPAM?.Config ?? []).flatMap(({ Subnet }) => (Subnet === undefined ? [] : [Subnet]));
  return { name, subnets, bridge };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export async function inspectDockerNetwork(name: string, socket: string, run: RunHost): Promise<HeldNetwork> {
  const checked = checkedNetwork(name);
  const args = ['--host', `unix://${socket}`, 'network', 'inspect', checked];
  const result = await run('docker', args, { timeoutMs: 15_000, maxOutputBytes: 1024 * 1024 }).catch((cause) => {
    throw notHeld(`cannot ask for network ${checked}: docker cannot be run`, {
      cause,
      hint: 'give the subnet itself with --subnet, and its bridge with --bridge',
    });
  });
  if (result.code === 0) return readDockerNetwork(result.stdout.toString('utf8'), checked);
  const said = forTerminal(untrusted(result.stderr.subarray(0, 400).toString('latin1').trim()));
  if (/\bnot found\b|no such network/i.test(said)) {
    throw new UsageError(`there is no network ${checked}`, { hint: 'docker network ls lists those that there are' });
  }
  throw notHeld(
    `cannot ask the engine for network ${checked}: ${result.hasTimedOut ? 'it did not answer in time' : said}`,
    {
      hint: 'start the engine, or give the subnet itself with --subnet, and its bridge with --bridge',
    },
  );
}
