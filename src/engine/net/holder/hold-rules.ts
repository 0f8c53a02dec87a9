import { HostError } from '../../../base/errors.ts';
import { runTool } from '../../../base/process.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { routerAddress } from '../layout.ts';
import { queueNumber, resolverPort } from './layout.ts';

/**
 * Puts the first packet of every connection of the box into the packet queue, before anything else looks at it. Without a
 * reader the kernel drops what is queued. Not every kernel has nftables' own expression for it; those that lack it mostly
 * have the older one of iptables.
 */

type InRouter = (argv: readonly string[]) => readonly string[];

export function queueRules(link: string): string {
  return `table inet hotcell-held {
  chain held {
    type filter hook prerouting priority raw; policy accept;
    ip daddr ${routerAddress.ipv4} tcp dport ${resolverPort} accept
    ip6 daddr ${routerAddress.ipv6} tcp dport ${resolverPort} accept
    iifname "${link}" tcp flags & (fin | syn | rst | ack) == syn queue num ${queueNumber}
  }
}
`;
}

export type OlderTool = 'iptables' | 'ip6tables';
const ownAddress = { iptables: routerAddress.ipv4, ip6tables: routerAddress.ipv6 } as const;

export function olderQueueRules(tool: OlderTool, link: string): readonly (readonly string[])[] {
  const rule = (text: string): readonly string[] => ['-w', '5', '-t', 'raw', '-A', 'PREROUTING', ...text.split(' ')];
  return [
    rule(`-d ${ownAddress[tool]} -p tcp --dport ${resolverPort} -j ACCEPT`),
    rule(`-i ${link} -p tcp --syn -j NFQUEUE --queue-num ${queueNumber}`),
  ];
}

/** Null when it worked. */
async function attempt(inRouter: InRouter, argv: readonly string[], input?: string): Promise<string | null> {
  const { code, stderr } = await runTool('ip', inRouter(argv), input === undefined ? {} : { input });
  return code === 0 ? null : forTerminal(untrusted(stderr)).trim().slice(0, 200);
}

export async function holdFirstPackets(inRouter: InRouter, link: string): Promise<void> {
  const problem = await attempt(inRouter, ['nft', '-f', '-'], queueRules(link));
  if (problem === null) return;
  for (const tool of ['iptables', 'ip6tables'] as const) {
    for (const rule of olderQueueRules(tool, link)) {
      const older = await attempt(inRouter, [tool, ...rule]);
      if (older === null) continue;
      throw new HostError(`cannot hold handshakes: nft: ${problem}; ${tool}: ${older}`, {
        hint: 'install the package iptables; the kernel needs CONFIG_NFT_QUEUE or CONFIG_NETFILTER_XT_TARGET_NFQUEUE',
      });
    }
  }
}
