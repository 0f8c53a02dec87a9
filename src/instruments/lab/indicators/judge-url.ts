import { type AddressReading, isDocumentation } from './hosts.ts';
import type { Judgement } from './judge-domain.ts';
import { extensionOf, runningExtensions } from './tables/file-names.ts';
import { lookUpHost } from './tables/known-hosts.ts';

const archives = new Set('zip rar 7z gz tgz tar cab iso img bin dat'.split(' '));
const sites = new Set('com app net org'.split(' '));

/** On a vendor's host only a path that fetches something or leads elsewhere is worth a look. */
export function isTellingPath(url: URL): boolean {
  const extension = extensionOf(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  if (
    (runningExtensions.has(extension) && !sites.has(extension) && !/^(?:php|aspx?|jspx?|cgi|js)$/.test(extension)) ||
    archives.has(extension)
  )
    return true;
  return /[?&][^=&]{1,40}=(?:https?(?::|%3a)|ftp:)/i.test(url.search);
}

/** A code host's front page is noise; a file of one of its repositories is not. */
function isHostedFile(url: URL): boolean {
  return (
    /(?:^|\.)(?:github\.com|gitlab\.com|bitbucket\.org)$/.test(url.hostname) &&
    (/\/(?:raw|releases|archive|downloads|-\/raw|zipball|tarball|blob)\//.test(url.pathname) ||
      /\.git$/.test(url.pathname))
  );
}

export function judgeUrl(
  href: string,
  host: string,
  range: AddressReading | undefined,
  includePrivateAddresses: boolean,
): Judgement {
  if (host === 'localhost' || /\.(?:local|lan|internal|localdomain|corp|home|intranet)$/.test(host))
    return includePrivateAddresses ? { confidence: 0.3 } : { confidence: 0.1, noise: 'name of a local network' };
  if (range?.kind === 'documentation') return { confidence: 0.3 };
  if (range !== undefined && !(range.kind === 'private' && includePrivateAddresses))
    return { confidence: 0.1, noise: range.reason };
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return { confidence: 0.5 };
  }
  const known = lookUpHost(host);
  const hasPath = url.pathname.length > 1 || url.search !== '';
  if (known.shared) return { confidence: hasPath ? 0.65 : 0.4 };
  if (isHostedFile(url)) return { confidence: 0.6 };
  if (known.reason !== undefined) {
    const isSchema = known.reason.startsWith('XML');
    return !isSchema && isTellingPath(url) ? { confidence: 0.4 } : { confidence: 0.1, noise: known.reason };
  }
  if (isDocumentation(host)) return { confidence: 0.3 };
  return { confidence: hasPath ? 0.7 : 0.5 };
}
