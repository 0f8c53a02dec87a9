export interface RouterRuleOptions {
  /** Whether every address answers pings. */
  readonly answersEcho: boolean;
}

/**
 * What the router does with packets from the box. `tproxy` hands a connection to our one listening socket without
 * rewriting it, so that the socket still knows which address and which port were asked for; a redirect would lose
 * both. Nothing is ever forwarded: there is nowhere to forward to, and the last chain says so once more.
 */
export function routerRules(link: string, port: number, options: RouterRuleOptions): string {
  const from = `iifname "${link}"`;
  const silence = ['icmp', 'icmpv6'].map((protocol) => `    ${from} ${protocol} type echo-request drop\n`).join('');
  return `table inet hotcell {
  chain taken {
    type filter hook prerouting priority mangle; policy accept;
${options.answersEcho ? '' : silence}    ${from} meta nfproto ipv4 meta l4proto tcp tproxy ip to :${port} accept
    ${from} meta nfproto ipv4 meta l4proto udp tproxy ip to :${port} accept
    ${from} meta nfproto ipv6 meta l4proto tcp tproxy ip6 to :${port} accept
    ${from} meta nfproto ipv6 meta l4proto udp tproxy ip6 to :${port} accept
  }
  chain onward {
    type filter hook forward priority filter; policy drop;
  }
}
`;
}
