import { resetMark } from './holder/layout.ts';

export interface RouterRuleOptions {
  /** Whether every address answers pings. */
  readonly answersEcho: boolean;
  /** Whether packets that were held and marked are answered with a reset. */
  readonly holdsHandshakes?: boolean;
}

/**
 * What the router does with packets from the box. `tproxy` hands a connection to our one listening socket without
 * rewriting it, so that the socket still knows which address and which port were asked for; a redirect would lose
 * both. Nothing is ever forwarded: there is nowhere to forward to, and the last chain says so once more.
 */
export function routerRules(link: string, port: number, options: RouterRuleOptions): string {
  const from = `iifname "${link}"`;
  const silence = ['icmp', 'icmpv6'].map((protocol) => `    ${from} ${protocol} type echo-request drop\n`).join('');
  // Between the queue, which gives the mark, and the chain that would accept the connection.
  const judged = `  chain judged {
    type filter hook prerouting priority -250; policy accept;
    ${from} meta l4proto tcp meta mark ${resetMark} reject with tcp reset
  }
`;
  return `table inet hotcell {
  chain taken {
    type filter hook prerouting priority mangle; policy accept;
${options.answersEcho ? '' : silence}    ${from} meta nfproto ipv4 meta l4proto tcp tproxy ip to :${port} accept
    ${from} meta nfproto ipv4 meta l4proto udp tproxy ip to :${port} accept
    ${from} meta nfproto ipv6 meta l4proto tcp tproxy ip6 to :${port} accept
    ${from} meta nfproto ipv6 meta l4proto udp tproxy ip6 to :${port} accept
  }
${options.holdsHandshakes === true ? judged : ''}  chain onward {
    type filter hook forward priority filter; policy drop;
  }
}
`;
}
