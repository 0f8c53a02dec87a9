import type { Draft } from '../draft.ts';
import type { PdfAction } from './actions.ts';
import type { NameCount } from './keywords.ts';
import { rules, scriptIdioms } from './rules.ts';

const byKind = {
  Launch: rules.launch,
  SubmitForm: rules.submit,
  ImportData: rules.submit,
  GoToR: rules.remote,
  GoToE: rules.remote,
  URI: rules.link,
} as const;

export function addActionFindings(draft: Draft, actions: readonly PdfAction[], pages: number): void {
  for (const { kind, trigger, object, detail, script } of actions) {
    const where = `object ${object}, ${trigger}`;
    if (script !== undefined) {
      draft.finding(trigger === 'OpenAction' ? rules.openScript : rules.script, where, script);
      const idiom = scriptIdioms.exec(script.slice(0, 1_000_000));
      if (idiom !== null)
        draft.finding(rules.scriptIdiom, where, script.slice(Math.max(0, idiom.index - 60), idiom.index + 200));
    } else if (Object.hasOwn(byKind, kind)) draft.finding(byKind[kind as keyof typeof byKind], where, detail);
  }
  const pressed = actions.find(({ kind, script }) => script !== undefined || Object.hasOwn(byKind, kind));
  if (pages <= 1 && pressed !== undefined) {
    draft.finding(rules.fewPagesWithLink, `object ${pressed.object}`, `${pages} pages, ${actions.length} actions`);
  }
}

export function addNameFindings(draft: Draft, { counts, disguised, hugeColors }: NameCount): void {
  for (const [name, count] of disguised) draft.finding(rules.disguisedNames, 'names', `/${name} (${count})`);
  if (hugeColors) draft.finding(rules.hugeColors, 'Colors', 'greater than 2^24');
  const present = [
    ['JBIG2Decode', rules.jbig2],
    ['RichMedia', rules.richMedia],
    ['XFA', rules.xfa],
  ] as const;
  for (const [name, rule] of present) {
    const count = counts.get(name) ?? 0;
    if (count > 0) draft.finding(rule, `/${name}`, `${count} times`);
  }
}

/** The beginnings of what can be run. */
const programs: readonly (readonly [string, RegExp])[] = [
  ['Windows executable', /^MZ/],
  ['Linux executable', /^\x7fELF/],
  ['archive', /^PK\x03\x04|^Rar!|^7z\xbc\xaf/],
  ['OLE2 document', /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/],
  ['shortcut', /^L\0\0\0\x01\x14\x02\0/],
  ['script', /^#!|^\s*<(?:script|html|job|hta)/i],
];
const programNames =
  /\.(?:exe|dll|scr|com|pif|js|jse|vbs|vbe|wsf|hta|ps1|bat|cmd|lnk|jar|msi|iso|docm|xlsm|settingcontent-ms)$/i;

export function programIn(name: string, bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 64)).toString('latin1');
  const found = programs.find(([, pattern]) => pattern.test(head));
  return found?.[0] ?? (programNames.test(name) ? 'file with the name of a program' : undefined);
}
