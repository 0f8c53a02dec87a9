/** Where things are in the two namespaces of a run. They are the same in every run: no two runs can see each other. */

/** Every name of a namespace begins with this, so that leftovers can be found. */
export const namespacePrefix = 'hotcell-';

/** The router's end of the wire. The box calls its end eth0, as a container would. */
export const routerLink = 'wire';
export const boxLink = 'eth0';

/** The port of the one listener that is handed every connection, whatever port was asked for. */
export const catchAllPort = 1;

export const routerAddress = { ipv4: '10.200.0.1', ipv6: 'fd00:200::1' } as const;
export const boxAddress = { ipv4: '10.200.0.2', ipv6: 'fd00:200::2' } as const;
export const prefixLength = { ipv4: 24, ipv6: 64 } as const;
