import { looksRandom } from './entropy.ts';
import { isGenuine, type SecretFormat } from './formats.ts';
import { isExampleToken, isPlaceholder } from './placeholder.ts';

/** Looks for secrets in a text. What it gives back has the secret already cut: the value goes no further than this file. */

export interface FoundSecret {
  readonly kind: 'format' | 'assigned' | 'url';
  /** Id of the format, or the name that the value was given to. */
  readonly name: string;
  readonly title: string;
  readonly severity: SecretFormat['severity'] | undefined;
  readonly line: number;
  readonly redacted: string;
}

export interface ScanOptions {
  /** Lock files and source maps are full of random text that is no secret. */
  readonly withEntropy: boolean;
}

/** The first four characters and the length: enough to find it, of no use to anybody else. */
export function redact(secret: string): string {
  const shown = /^-----BEGIN/.test(secret) ? '-----BEGIN' : secret.slice(0, 4).replace(/[^\x21-\x7e]/g, '?');
  return `${shown}… (${secret.length} characters)`;
}

const assignment =
  /(?<![A-Za-z0-9])(?<name>[\w.-]{0,40}(?:api[_-]?key|apikey|secret|token|passw(?:or)?d|passphrase|credential|private[_-]?key|access[_-]?key|auth[_-]?key|client[_-]?secret|encryption[_-]?key|signing[_-]?key)[\w.-]{0,20})["'`]?\s{0,4}(?::|=>|=|:=)\s{0,4}(?<quote>["'`])(?<value>[^"'`\n]{12,512})\k<quote>/gi;
const plainAssignment =
  /^[ \t]*(?:export[ \t]+)?(?<name>[A-Z][A-Z0-9_]{0,60}(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIALS?))[ \t]*=[ \t]*(?<value>[^\s"'`#]{12,512})[ \t]*$/gm;
/** Names that hold the word and are no secret: an address, a header's name, a limit, a count. */
const notASecret =
  /(?:url|uri|endpoint|path|file|name|header|type|prefix|suffix|length|limit|count|max|min|expiry|expires|ttl|regex|pattern|id|hash|public|schema|label|title|description|message|placeholder|hint|error|param|field|tokens|tokenizer|selector|event)$/i;

const urlPassword =
  /\b(?<scheme>[a-z][a-z0-9+]{1,20}):\/\/(?<user>[^\s:/@"'`<>]{1,64}):(?<value>[^\s:/@"'`<>{}$]{8,128})@(?<host>[^\s/:"'`<>]{1,255})/gi;
/** A name without a dot is this machine, a container beside it, or a word in documentation. */
const ownHost = /^(?:localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker|[\w-]+$|example\.|.*\.example(?:\.|$))/i;

const mostPerText = 200;

class Lines {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  lineOf(index: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}

export function scanText(text: string, formats: readonly SecretFormat[], options: ScanOptions): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  const lines = new Lines(text);
  const taken: (readonly [number, number])[] = [];
  const isTaken = (index: number): boolean => taken.some(([from, to]) => index >= from && index < to);
  for (const format of formats) {
    if (!text.includes(format.keyword)) continue;
    for (const match of text.matchAll(format.pattern)) {
      if (found.length >= mostPerText) return found;
      const [token] = match;
      if (isTaken(match.index) || isExampleToken(token) || !isGenuine(format, token)) continue;
      taken.push([match.index, match.index + token.length]);
      found.push({
        kind: 'format',
        name: format.id,
        title: format.title,
        severity: format.severity,
        line: lines.lineOf(match.index),
        redacted: redact(token),
      });
    }
  }
  for (const match of text.matchAll(urlPassword)) {
    const { value = '', host = '', user = '' } = match.groups ?? {};
    if (found.length >= mostPerText) return found;
    if (isTaken(match.index) || ownHost.test(host) || isPlaceholder(value) || isPlaceholder(host) || value === user)
      continue;
    taken.push([match.index, match.index + match[0].length]);
    found.push({
      kind: 'url',
      name: host.slice(0, 80),
      title: 'password in a URL',
      severity: undefined,
      line: lines.lineOf(match.index),
      redacted: redact(value),
    });
  }
  if (!options.withEntropy) return found;
  for (const pattern of [assignment, plainAssignment]) {
    for (const match of text.matchAll(pattern)) {
      const { name = '', value = '' } = match.groups ?? {};
      const at = match.index + match[0].lastIndexOf(value);
      if (found.length >= mostPerText) return found;
      if (isTaken(at) || notASecret.test(name) || isPlaceholder(value) || !looksRandom(value)) continue;
      taken.push([at, at + value.length]);
      found.push({
        kind: 'assigned',
        name: name.slice(0, 80),
        title: name.slice(0, 80),
        severity: undefined,
        line: lines.lineOf(at),
        redacted: redact(value),
      });
    }
  }
  return found;
}
