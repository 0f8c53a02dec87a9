import { UsageError } from '../../../base/errors.ts';

/** URLs as they may be fetched. The parser of the URL standard turns every spelling of an address into one. */

const mostCharacters = 8_192;

export function readUrl(text: string, base?: URL): URL {
  if (text.length > mostCharacters) throw new UsageError(`the URL is longer than ${mostCharacters} characters`);
  // The parser would leave these out silently.
  if (/[\0-\x20\x7f]/.test(text)) throw new UsageError('the URL has spaces or control characters in it');
  const url = URL.parse(text, base?.href);
  if (url === null) throw new UsageError('this is no URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new UsageError('only http and https are fetched');
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('a URL with a user name or password in it is not fetched', {
      hint: 'give an Authorization header',
    });
  }
  if (url.hostname === '' || url.hostname === '.') throw new UsageError('the URL names no host');
  url.hash = '';
  return url;
}
