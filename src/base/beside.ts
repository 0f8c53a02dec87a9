import { extname } from 'node:path';

/**
 * The module `name` in the folder of the module at `url`, with the same ending: source runs as it is, and so does what was
 * compiled from it. For code that starts in a thread or a process of its own.
 */
export function besideModule(url: string, name: string): URL {
  return new URL(`./${name}${extname(url)}`, url);
}
