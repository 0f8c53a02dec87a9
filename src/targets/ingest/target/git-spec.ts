import { UsageError } from '../../../base/errors.ts';
import type { GitProtocol, GitTarget } from './contract.ts';

/** Places that keep repositories at `host/owner/name`, and what they are called in short. */
export const forges: readonly { readonly host: string; readonly short?: string; readonly hasGroups: boolean }[] = [
  { host: 'github.com', short: 'github', hasGroups: false },
  { host: 'gitlab.com', short: 'gitlab', hasGroups: true },
  { host: 'bitbucket.org', short: 'bitbucket', hasGroups: false },
  { host: 'codeberg.org', hasGroups: false },
  { host: 'git.sr.ht', hasGroups: false },
];

/** A name that begins with `-` would be read as an option by git or by ssh. */
const refPattern = /^(?!-)[A-Za-z0-9._/+@-]{1,255}$/;
const hostPattern = /^(?!-)[A-Za-z0-9._-]{1,253}$/;
const scpForm = /^([A-Za-z0-9_][A-Za-z0-9._-]*)@([^:/@\s]+):(?!\/\/)([^\s#]+)(?:#(.*))?$/;
const ownerAndName = /^([A-Za-z0-9_~](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\/([A-Za-z0-9._-]+)$/;

function failed(text: string, why: string, hint?: string): UsageError {
  return new UsageError(`git repository ${JSON.stringify(text)}: ${why}`, hint === undefined ? {} : { hint });
}

function checkedRef(ref: string, text: string): string {
  const isSafe = refPattern.test(ref) && !ref.includes('..') && !ref.includes('//') && !ref.endsWith('.lock');
  if (isSafe && !/(^|\/)\.|\/$|^\//.test(ref)) return ref;
  throw failed(text, `${JSON.stringify(ref)} is no branch, tag or commit`);
}

function checkedFolder(folder: string, text: string): string {
  const parts = folder.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length > 0 && !parts.some((part) => part === '..' || /[\\\0]/.test(part))) return parts.join('/');
  throw failed(text, `${JSON.stringify(folder)} is no folder of a repository`);
}

interface Parts {
  readonly ref?: string | undefined;
  readonly folder?: string | undefined;
}

function makeTarget(protocol: GitProtocol, url: string, { ref, folder }: Parts, text: string): GitTarget {
  return {
    kind: 'git',
    url,
    protocol,
    ...(ref === undefined || ref === '' ? {} : { ref: checkedRef(ref, text) }),
    ...(folder === undefined || folder === '' ? {} : { folder: checkedFolder(folder, text) }),
  };
}

/** `#ref` as npm writes it, `#subdirectory=x&egg=y` as pip does. */
function readFragment(fragment: string, text: string): Parts {
  if (!fragment.includes('=')) {
    if (fragment.startsWith('semver:')) throw failed(text, 'a version range is no commit', 'name a tag or a commit');
    return { ref: fragment };
  }
  const pairs = fragment.split('&').map((pair) => pair.split(/=(.*)/s));
  const unknown = pairs.find(([key]) => key !== 'subdirectory' && key !== 'egg');
  if (unknown !== undefined) throw failed(text, `${JSON.stringify(unknown[0])} is not known after the #`);
  return { folder: pairs.find(([key]) => key === 'subdirectory')?.[1] };
}

const protocols: Readonly<Record<string, GitProtocol>> = { 'https:': 'https', 'ssh:': 'ssh', 'file:': 'file' };

/** `git+https://host/path(@ref)(#ref)`; without the `git+` the `@` belongs to the path. */
export function parseGitUrl(text: string): GitTarget {
  const hasPrefix = text.startsWith('git+');
  const bare = hasPrefix ? text.slice('git+'.length) : text;
  const hash = bare.indexOf('#');
  const fragment = hash === -1 ? '' : decodeSafely(bare.slice(hash + 1));
  const address = hash === -1 ? bare : bare.slice(0, hash);
  if (!URL.canParse(address)) throw failed(text, 'this is no URL');
  const url = new URL(address);
  const protocol = protocols[url.protocol];
  if (protocol === undefined) {
    throw failed(text, `${url.protocol}// is not used: nobody vouches for what arrives`, 'write https://… or ssh://…');
  }
  if (protocol !== 'file' && !hostPattern.test(url.hostname)) throw failed(text, 'the host is no name');
  if (/^-/.test(decodeSafely(url.username))) throw failed(text, 'the user is no name');
  const parts = readFragment(fragment, text);
  const at = hasPrefix ? url.pathname.lastIndexOf('@') : -1;
  const pathRef = at > 0 ? decodeSafely(url.pathname.slice(at + 1)) : undefined;
  if (pathRef === '') throw failed(text, 'nothing stands behind the @', 'name a branch, a tag or a commit there');
  if (pathRef !== undefined) url.pathname = url.pathname.slice(0, at);
  if (url.pathname.length < 2) throw failed(text, 'no path of a repository');
  // An @ that belongs to the path is spelled out, or the same address with `git+` before it would be read otherwise.
  url.pathname = url.pathname.replaceAll('@', '%40');
  return makeTarget(protocol, url.href, { ...parts, ref: pathRef ?? parts.ref }, text);
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `git@host:owner/name.git#ref`, or nothing when it has another form. */
export function parseScpForm(text: string): GitTarget | undefined {
  const match = scpForm.exec(text);
  if (match === null) return undefined;
  const [, user = '', host = '', path = '', fragment = ''] = match;
  if (!hostPattern.test(host) || path.startsWith('-')) throw failed(text, 'the host or the path is no name');
  if (/^\/+$/.test(path)) throw failed(text, 'no path of a repository');
  return makeTarget('ssh', `${user}@${host}:${path}`, readFragment(decodeSafely(fragment), text), text);
}

/** `github:owner/name#ref`, or nothing when it begins otherwise. */
export function parseForgeShort(text: string): GitTarget | undefined {
  const forge = forges.find(({ short }) => short !== undefined && text.startsWith(`${short}:`));
  if (forge?.short === undefined) return undefined;
  return parseOwnerAndName(text.slice(forge.short.length + 1), forge.host, text);
}

export function parseOwnerAndName(rest: string, host: string, text: string): GitTarget {
  const [path = '', fragment = ''] = rest.split(/#(.*)/s);
  const match = ownerAndName.exec(path);
  if (match === null || match[2] === '.' || match[2] === '..') throw failed(text, 'write owner/name');
  const name = (match[2] ?? '').replace(/\.git$/, '');
  if (name === '') throw failed(text, 'write owner/name');
  return makeTarget('https', `https://${host}/${match[1]}/${name}.git`, readFragment(fragment, text), text);
}

export function isOwnerAndName(text: string): boolean {
  return ownerAndName.test(text.split('#')[0] ?? '');
}

/** A web address that is a repository: one that ends in `.git`, or a page of a forge. */
export function parseRepositoryPage(text: string): GitTarget | undefined {
  const url = new URL(text);
  if (/\.git\/?$/.test(url.pathname)) return parseGitUrl(text);
  const forge = forges.find(({ host }) => host === url.hostname.replace(/^www\./, ''));
  if (forge === undefined) return undefined;
  if (url.protocol !== 'https:')
    throw failed(text, 'http is not used: nobody vouches for what arrives', 'write https://…');
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const tree = parts.findIndex(
    (part, index) => index >= 2 && (part === 'tree' || part === 'commit' || part === 'blob'),
  );
  const end = tree === -1 ? parts.length : parts[tree - 1] === '-' ? tree - 1 : tree;
  const path = parts.slice(0, end);
  if (path.length < 2 || (path.length > 2 && !forge.hasGroups)) {
    throw failed(text, 'this page is no repository', `write https://${forge.host}/owner/name`);
  }
  const rest = tree === -1 ? [] : parts.slice(tree + 1).map(decodeSafely);
  const isFile = parts[tree] === 'blob';
  const [ref, ...folder] = isFile ? rest.slice(0, -1) : rest;
  const fragment = readFragment(decodeSafely(url.hash.slice(1)), text);
  url.hash = '';
  url.search = '';
  url.pathname = `/${path.join('/')}.git`;
  return makeTarget('https', url.href, { ref: ref ?? fragment.ref, folder: folder.join('/') || fragment.folder }, text);
}
