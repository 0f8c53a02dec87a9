import { runToolOrFail } from '../../base/process.ts';
import { type LoopbackLead, loopbackRules } from './egress/loopback.ts';
import { boxAddress, boxLink, routerAddress } from './layout.ts';
import type { NetworkNamespaces } from './namespace.ts';

/**
 * Leads loopback addresses of a box out to its router. IPv4 keeps its loopback and has only the address exchanged; for that
 * the link must be allowed to carry what was loopback. IPv6 has no such permission: a packet from ::1 cannot leave, so the
 * one address gets a way out of its own, which gives it the link's address as its sender.
 */
export async function openLoopback(namespaces: NetworkNamespaces, leads: readonly LoopbackLead[]): Promise<void> {
  if (leads.length === 0) return;
  const inBox = (argv: readonly string[], input?: string) =>
    runToolOrFail('ip', namespaces.inBox(argv), input === undefined ? {} : { input });
  await inBox(['nft', '-f', '-'], loopbackRules(leads, boxLink));
  await inBox(['sh', '-c', `echo 1 > /proc/sys/net/ipv4/conf/${boxLink}/route_localnet`]);
  if (!leads.some(({ address }) => address === '::1')) return;
  const way = `::1/128 via ${routerAddress.ipv6} dev ${boxLink} src ${boxAddress.ipv6} table local`;
  await inBox(['ip', '-6', 'route', 'del', 'local', '::1', 'dev', 'lo', 'table', 'local']);
  await inBox(['ip', '-6', 'route', 'add', ...way.split(' ')]);
}
