import { fromBase64, fromPercent } from './decoders.ts';
import type { ScriptLanguage } from './languages.ts';

/** What pages, HTML applications, script files and pictures carry: scripts, forms, data and where they lead. */

export interface MarkupScript {
  readonly text: string;
  readonly language: ScriptLanguage;
  readonly where: string;
}

export interface Markup {
  readonly scripts: readonly MarkupScript[];
  readonly sources: readonly string[];
  readonly forms: readonly { readonly action: string; readonly method: string; readonly password: boolean }[];
  readonly refresh: readonly string[];
  readonly frames: readonly string[];
  readonly dataUris: readonly { readonly type: string; readonly data: string }[];
  readonly title?: string;
}

const most = 500;

/** The value of an attribute in the text of a tag. */
function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(
    `\\b${name}\\s{0,9}=\\s{0,9}(?:"([^"]{0,20000})"|'([^']{0,20000})'|([^\\s>"']{1,20000}))`,
    'i',
  ).exec(tag);
  return found === null ? undefined : (found[1] ?? found[2] ?? found[3]);
}

function languageOf(tag: string): ScriptLanguage {
  const named = `${attribute(tag, 'language') ?? ''} ${attribute(tag, 'type') ?? ''}`.toLowerCase();
  if (/\.encode/.test(named)) return 'vbe';
  if (/vbs/.test(named)) return 'vbscript';
  if (/powershell/.test(named)) return 'powershell';
  return /python/.test(named) ? 'python' : 'javascript';
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g,
    (all, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return entities[name] ?? all;
      const code = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}

/** Tags with what they say, found without patterns that could run wild on broken pages. */
function* tags(text: string, tick: () => void): Generator<{ name: string; tag: string; at: number; end: number }> {
  let count = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    count += 1;
    if (count % 2000 === 0) tick();
    if (count > 200_000) return;
    const name = /^<([A-Za-z][\w:-]{0,30})/.exec(text.slice(at, at + 33))?.[1];
    if (name === undefined) continue;
    const close = text.indexOf('>', at);
    if (close < 0) return;
    yield { name: name.toLowerCase(), tag: text.slice(at, Math.min(close + 1, at + 100_000)), at, end: close + 1 };
  }
}

export function readMarkup(text: string, tick: () => void): Markup {
  const scripts: MarkupScript[] = [];
  const sources: string[] = [];
  const forms: { action: string; method: string; password: boolean }[] = [];
  const refresh: string[] = [];
  const frames: string[] = [];
  const dataUris: { type: string; data: string }[] = [];
  const lower = text.toLowerCase();
  let skipTo = 0;
  let noScriptEnd = false;
  for (const { name, tag, at, end } of tags(text, tick)) {
    if (at < skipTo) continue;
    if (name === 'script' && scripts.length < most) {
      const source = attribute(tag, 'src') ?? attribute(tag, 'xlink:href');
      if (source !== undefined) sources.push(source);
      const close: number = noScriptEnd ? -1 : lower.indexOf('</script', end);
      noScriptEnd ||= close < 0;
      const inner = text.slice(end, close < 0 ? text.length : close);
      const body = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/.exec(inner)?.[1] ?? inner;
      if (body.trim() !== '') scripts.push({ text: body, language: languageOf(tag), where: `script at offset ${at}` });
      skipTo = close < 0 ? text.length : close;
    } else if (name === 'form' && forms.length < most) {
      forms.push({
        action: attribute(tag, 'action') ?? '',
        method: (attribute(tag, 'method') ?? 'get').toLowerCase(),
        password: false,
      });
    } else if (name === 'input' && /password/i.test(attribute(tag, 'type') ?? '')) {
      const form = forms[forms.length - 1];
      if (form === undefined) forms.push({ action: '', method: 'get', password: true });
      else form.password = true;
    } else if (name === 'meta' && /refresh/i.test(attribute(tag, 'http-equiv') ?? ''))
      refresh.push(attribute(tag, 'content') ?? '');
    else if ((name === 'iframe' || name === 'frame' || name === 'embed' || name === 'object') && frames.length < most) {
      frames.push(attribute(tag, 'src') ?? attribute(tag, 'data') ?? '');
    }
    const event = /\son[a-z]{3,20}\s{0,9}=\s{0,9}(?:"([^"]{8,20000})"|'([^']{8,20000})')/i.exec(tag);
    if (event !== null && scripts.length < most) {
      scripts.push({
        text: decodeEntities(event[1] ?? event[2] ?? ''),
        language: 'javascript',
        where: `event at offset ${at}`,
      });
    }
    const address = /\b(?:href|src)\s{0,9}=\s{0,9}["']?\s{0,20}(javascript|vbscript):([^"']{4,20000})/i.exec(tag);
    if (address !== null && scripts.length < most) {
      const language = address[1]?.toLowerCase() === 'vbscript' ? 'vbscript' : 'javascript';
      scripts.push({ text: fromPercent(decodeEntities(address[2] ?? '')), language, where: `address at offset ${at}` });
    }
  }
  for (const match of text.matchAll(
    /\bdata:([a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,80})?(?:;[a-z0-9=-]{1,40}){0,3};base64,([A-Za-z0-9+/=%]{16,})/gi,
  )) {
    if (dataUris.length >= most) break;
    const data = fromBase64(fromPercent(match[2] ?? ''));
    if (data !== undefined) dataUris.push({ type: (match[1] ?? '').toLowerCase(), data });
  }
  const title = /<title[^>]{0,200}>([^<]{1,300})/i.exec(text)?.[1];
  return {
    scripts,
    sources: sources.slice(0, most),
    forms,
    refresh: refresh.slice(0, most),
    frames,
    dataUris,
    ...(title === undefined ? {} : { title }),
  };
}

export const markupLanguages: ReadonlySet<string> = new Set(['html', 'hta', 'svg', 'wsf', 'xml', 'php']);
