import { copyFile, constants as fileConstants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveLink } from './entry-name.ts';
import type { IssueList } from './issue-list.ts';
import type { Meter } from './meter.ts';
import type { EntryFacts, Known } from './place.ts';

/** Links are never made. One that leads to a file of the same archive becomes a copy, so that its content is inspected. */

export interface PendingLink {
  readonly parts: readonly string[];
  readonly target: Uint8Array;
  readonly isHard: boolean;
  readonly entry: Uint8Array;
}

interface LinkPlace {
  readonly into: string;
  readonly strip: 0 | 1;
  readonly known: Map<string, Known>;
  readonly issues: IssueList;
  readonly meter: Meter;
  makeFolders(parts: readonly string[], entry: EntryFacts): Promise<boolean>;
}

const mostHops = 16;

/** A hard link names a path of the archive, a symbolic one is relative to its own folder. */
function leadsTo({ parts, target, isHard }: PendingLink, strip: 0 | 1): string | undefined {
  const text = Buffer.from(target).toString('utf8');
  const resolved = resolveLink(isHard ? [] : parts.slice(0, -1), text);
  return (isHard ? resolved?.slice(strip) : resolved)?.join('/');
}

export async function copyLinks(links: readonly PendingLink[], place: LinkPlace): Promise<number> {
  const { into, known, issues, meter } = place;
  const byPath = new Map(links.map((link) => [link.parts.join('/'), link]));
  let copied = 0;
  for (const link of links) {
    // A file that came later under the same name has taken its place.
    if (known.get(link.parts.join('/'))?.is !== 'link') continue;
    let path = leadsTo(link, place.strip);
    if (path === undefined) {
      issues.add('link-out', link.entry, 'the link leads out of the folder');
      continue;
    }
    for (let hops = 0; hops < mostHops && path !== undefined && known.get(path)?.is === 'link'; hops += 1) {
      const next = byPath.get(path);
      path = next === undefined ? undefined : leadsTo(next, place.strip);
    }
    if (path === undefined || known.get(path)?.is !== 'file') {
      issues.add('link-not-followed', link.entry, 'the link leads to a folder, to another link or to nothing');
      continue;
    }
    const facts = { name: link.entry, mode: 0o644 };
    if (!(await place.makeFolders(link.parts.slice(0, -1), facts))) continue;
    const { size } = await stat(join(into, path));
    meter.countOutput(size, link.entry);
    await copyFile(join(into, path), join(into, link.parts.join('/')), fileConstants.COPYFILE_EXCL);
    copied += 1;
  }
  return copied;
}
