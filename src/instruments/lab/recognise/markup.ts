import type { KindId } from '../kinds.ts';

const htmlRoots = new Set(
  'html head body script iframe form meta title div p a img table style center link span input h1 h2 b br'.split(' '),
);
const searched = 65_536;

/** Leaves out what may stand before the first element; null when what follows is no element. */
function rootName(text: string): string | null {
  let at = 0;
  for (let step = 0; step < 64; step += 1) {
    while (at < searched && /\s/.test(text[at] ?? '')) at += 1;
    const end = text.startsWith('<!--', at)
      ? text.indexOf('-->', at + 4)
      : text.startsWith('<?', at)
        ? text.indexOf('?>', at + 2)
        : text.startsWith('<!', at)
          ? endOfDeclaration(text, at)
          : -2;
    if (end === -1) return null;
    if (end === -2) break;
    at = text.indexOf('>', end) + 1;
  }
  return /^<([a-z][\w:.-]{0,60})(?=[\s/>])/i.exec(text.slice(at, at + 80))?.[1]?.toLowerCase() ?? null;
}

/** A declaration may hold others in brackets. */
function endOfDeclaration(text: string, at: number): number {
  const end = text.indexOf('>', at);
  const bracket = text.indexOf('[', at);
  if (bracket === -1 || bracket > end) return end;
  const close = text.indexOf(']', bracket);
  return close === -1 ? -1 : text.indexOf('>', close);
}

/** Text that begins with a tag, or with what may stand before one. */
export function recogniseMarkup(text: string): KindId | null {
  const head = text.slice(0, searched);
  const start = head.trimStart();
  if (!start.startsWith('<')) return null;
  if (/<hta:application\b/i.test(head)) return 'hta';
  if (/^<\?(?:php\b|=)/i.test(start)) return 'php';
  const root = rootName(start);
  if (root === 'svg' || root === 'svg:svg') return 'svg';
  if ((root === 'job' || root === 'package') && /<script\b[^>]{0,200}\blanguage\b/i.test(head)) return 'wsf';
  const isHtml = /^<!doctype\s{1,8}html/i.test(start) || (root !== null && htmlRoots.has(root));
  if (isHtml) return /<\?php\b/i.test(head) ? 'php' : 'html';
  if (/^<\?xml\b/i.test(start)) return /<html[\s>]/i.test(head) ? 'html' : 'xml';
  if (root !== null) return /<\/[a-z]/i.test(head) || /\/>/.test(head) ? 'xml' : null;
  return null;
}
