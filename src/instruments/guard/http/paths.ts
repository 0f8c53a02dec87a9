import { usualPaths } from '../../../targets/conversation/discover-endpoint.ts';

/** Which paths of the server are to be had from outside: one, or the usual ones, and those that it names itself. */

const longestPath = 4096;
const mostNamed = 1024;
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]']);
/** Stands for the server in the box, whatever it calls itself. */
const inside = 'http://127.0.0.1';

/** Path and query of where the server wants messages; null where that is another machine. */
export function endpointFor(address: string, from: string): string | null {
  if (address.length > longestPath || !URL.canParse(address, `${inside}${from}`)) return null;
  const { protocol, hostname, pathname, search } = new URL(address, `${inside}${from}`);
  return protocol === 'http:' && loopback.has(hostname) ? `${pathname}${search}` : null;
}

export class Paths {
  readonly #known: ReadonlySet<string>;
  readonly #named = new Set<string>();

  constructor(path: string | undefined) {
    this.#known = new Set(path === undefined ? usualPaths : [path]);
  }

  /** The oldest go first: a server may name a new one for every client. */
  add(path: string): void {
    this.#named.delete(path);
    this.#named.add(path);
    const [oldest] = this.#named;
    if (this.#named.size > mostNamed && oldest !== undefined) this.#named.delete(oldest);
  }

  isServed(url: string): boolean {
    const [path = ''] = url.split('?');
    return url.length <= longestPath && url.startsWith('/') && (this.#known.has(path) || this.#named.has(url));
  }
}
