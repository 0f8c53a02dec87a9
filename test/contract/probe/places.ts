/** Who lives where in the world. All of it is documentation space: nobody real is meant, even by mistake. */

export const target = { ipv4: '203.0.113.10', ipv6: '2001:db8:5::10' } as const;

/** Closed answers with a reset, silent never answers. */
export const targetPorts = { http: 80, tls: 443, banner: 2121, closed: 81, silent: 82 } as const;

/** Out of scope; every other address there is answers like these. */
export const outOfScope = ['203.0.113.66', '198.51.100.66', '2001:db8:5::66'] as const;

export const elsewhereUrl = `http://${outOfScope[0]}/caught`;

/** Where Hotcell runs: these are the addresses of its host. */
export const outer = { ipv4: '203.0.113.1', ipv6: '2001:db8:5::1' } as const;
export const gateway = { ipv4: '203.0.113.254', ipv6: '2001:db8:5::fe' } as const;

/** The nameserver of `resolver: true`; in truth every address answers for names. */
export const nameserver = '203.0.113.53';

/** Datagrams that say where in the capture we are go here. */
export const mark = { address: '192.0.2.254', port: 9 } as const;

export const link = 'wire';

export const hardware = { outer: '02:00:00:00:00:01', there: '02:00:00:00:00:fe' } as const;

/** Ports of the catcher, behind the rules that lead everything to it. */
export const catcherPorts = { stream: 1, datagram: 2, names: 53 } as const;

/** What a service of the host listens on, where a test has one. */
export const hostListener = { port: 7777, abstract: 'hotcell-stray-listener' } as const;
