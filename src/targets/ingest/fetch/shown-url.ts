/** A URL that may be written down: without user, password, query and fragment. */
export function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return text.replace(/^[^@/]*@(?=[^/]*:)/, '');
  const url = new URL(text);
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href;
}
