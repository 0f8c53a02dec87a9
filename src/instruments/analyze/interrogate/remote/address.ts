import { UsageError } from '../../../../base/errors.ts';

/** What the user says about a remote server: its address and the headers that go with every request. */

const longestUrl = 2048;

export function readRemoteUrl(text: string): URL {
  const hint = 'give an address such as https://mcp.example/mcp';
  if (text.length > longestUrl || !URL.canParse(text)) throw new UsageError('remote: this is no address', { hint });
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`remote: cannot talk to ${url.protocol}//`, {
      hint: 'a server is reached over http or https',
    });
  if (url.username !== '' || url.password !== '')
    throw new UsageError('remote: the address holds a password', { hint: "use --header 'Authorization: …' instead" });
  url.hash = '';
  return url;
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const printable = /^[\t\x20-\x7e]{0,8192}$/;
/** They say where a message ends and whom it is for; a wrong one makes two requests of one. */
const ours: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'mcp-session-id',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const mostHeaders = 64;

/** Names in lower case. A value is never repeated in a message: it may be a secret. */
export function readRemoteHeaders(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(given);
  if (entries.length > mostHeaders) throw new UsageError(`remote: more than ${mostHeaders} headers`);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (!token.test(name)) throw new UsageError('remote: a header has a name that is none');
      if (ours.has(name.toLowerCase()))
        throw new UsageError(`remote: the header ${name.toLowerCase()} is not yours to set`);
      if (!printable.test(value)) throw new UsageError(`remote: the value of the header ${name} is not printable`);
      return [name.toLowerCase(), value];
    }),
  );
}
