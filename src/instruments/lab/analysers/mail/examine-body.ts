import type { Collector } from '../office/collector.ts';
import { scanXml } from '../office/ooxml/scan-xml.ts';
import { registrable } from './examine-headers.ts';
import type { Message } from './message.ts';

/** What the text of a message shows and where it really leads. */

const linkKind = {
  rule: 'mail.link-mismatch',
  title: 'A link shows one host and leads to another',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Services that count clicks put their own address behind every link of a newsletter.',
  attack: ['T1566.002', 'T1204.001'],
} as const;

const formKind = {
  rule: 'mail.form',
  title: 'The message contains a form that sends what is typed into it',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'Surveys are sometimes answered inside of the mail.',
  attack: ['T1566', 'T1056.003'],
} as const;

const scriptKind = {
  rule: 'mail.script',
  title: 'The message contains script',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'Pages that were sent as they are bring their scripts along; mail programs do not run them.',
  attack: ['T1059.007'],
} as const;

const passwordKind = {
  rule: 'mail.password-in-body',
  title: 'The message names a password and carries an encrypted container',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'People who mean to protect a file do send the password in the same mail.',
  attack: ['T1027.013', 'T1566.001'],
} as const;

interface Link {
  readonly target: string;
  text: string;
}

const maximalLinks = 500;
const maximalHtml = 4 * 1024 * 1024;

function hostOf(text: string): string {
  const match =
    /^\s*(?:https?:\/\/)?(?:[^\s/@]{1,100}@)?((?:[\w-]{1,63}\.){1,8}[a-z\u00a1-\uffff][\w-]{1,62})(?:[:/?#]|\s*$)/iu.exec(
      text.slice(0, 2000),
    );
  return match?.[1]?.toLowerCase() ?? '';
}

interface Page {
  readonly links: Link[];
  readonly forms: string[];
  readonly remoteImages: string[];
  scripts: number;
  text: string;
}

export function readPage(html: string, tick: () => void): Page {
  const page: Page = { links: [], forms: [], remoteImages: [], scripts: 0, text: '' };
  let open: Link | null = null;
  let isSilent = false;
  scanXml(
    html.slice(0, maximalHtml),
    {
      tag(tag) {
        const name = tag.name.toLowerCase();
        const value = (key: string): string =>
          tag.attributes().get(key) ?? tag.attributes().get(key.toUpperCase()) ?? '';
        if (name === 'a' || name === 'area') {
          open = null;
          if (!tag.isEnd && page.links.length < maximalLinks) {
            open = { target: value('href').trim(), text: '' };
            if (open.target !== '') page.links.push(open);
          }
        } else if (name === 'form' && !tag.isEnd) {
          if (page.forms.length < 50) page.forms.push(value('action'));
        } else if (name === 'script' || name === 'style') {
          isSilent = !tag.isEnd && !tag.isEmpty;
          if (name === 'script' && !tag.isEnd) page.scripts += 1;
        } else if (name === 'img' && !tag.isEnd && page.remoteImages.length < 100) {
          const source = value('src');
          if (/^\s*(?:https?:)?\/\//i.test(source)) page.remoteImages.push(source);
        }
      },
      text(part) {
        if (isSilent) return;
        if (open !== null && open.text.length < 2000) open.text += part;
        if (page.text.length < 1_000_000) page.text += part;
      },
    },
    tick,
  );
  return page;
}

const passwordPattern =
  /(?:pass(?:word|code|phrase|wort)?|kennwort|mot de passe|contrase(?:ñ|n)a|senha|пароль|pwd|pin(?:[ -]?code)?)\s{0,5}(?:for [\w .]{1,60})?(?:is|ist|est|es|é)?\s{0,5}[:=\-–]?\s{0,5}["'“«]?([^\s"'”»<>,;]{3,40})/giu;
const noPassword =
  /^(?:protected|is|the|for|and|below|attached|reset|or|to|in|your|was|will|has|of|with|please|geschützt|lautet)$/i;

export function passwordsIn(text: string): string[] {
  const found = new Set<string>();
  for (const match of text.slice(0, 200_000).matchAll(passwordPattern)) {
    const word = (match[1] ?? '').replace(/[.!?)]+$/, '');
    if (word.length >= 3 && !noPassword.test(word)) found.add(word);
    if (found.size >= 20) break;
  }
  return [...found];
}

export function examineBody(collector: Collector, message: Message, hasEncrypted: boolean, tick: () => void): void {
  const page = readPage(message.html, tick);
  collector.text('body', message.text);
  collector.text('body (HTML)', message.html.slice(0, maximalHtml));
  collector.fact('body_characters', message.text.length);
  collector.fact('html_characters', message.html.length);
  collector.list(
    'links',
    page.links.map(({ target, text }) => ({ target, text: text.replace(/\s+/g, ' ').trim().slice(0, 200) })),
    60,
  );
  collector.list('forms', page.forms, 20);
  collector.list('remote_images', [...new Set(page.remoteImages)], 20);
  collector.text('links', page.links.map(({ target }) => target).join('\n'));
  for (const { target, text } of page.links) {
    const shown = hostOf(text.trim());
    const real = hostOf(target);
    if (shown !== '' && real !== '' && registrable(shown) !== registrable(real)) {
      collector.finding(linkKind, { where: 'link', text: `${text.trim().slice(0, 150)} -> ${target}` });
    }
  }
  for (const action of page.forms) collector.finding(formKind, { where: 'form', text: action });
  if (page.scripts > 0) collector.finding(scriptKind, { where: 'body', text: `${page.scripts} scripts` });
  const passwords = passwordsIn(`${message.subject}\n${message.text}\n${page.text}`);
  if (passwords.length > 0) collector.fact('candidate_passwords', passwords);
  if (passwords.length > 0 && hasEncrypted)
    collector.finding(passwordKind, { where: 'body', text: passwords.join(', ') });
}
