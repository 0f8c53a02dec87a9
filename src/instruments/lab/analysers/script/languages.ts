import type { KindId } from '../../kinds.ts';

/** The languages that the room reads. Their words are kinds, so that a layer can say what it is. */
export const scriptLanguages = [
  'javascript',
  'vbscript',
  'vbe',
  'powershell',
  'batch',
  'shell',
  'python',
  'perl',
  'php',
  'ruby',
  'autoit',
  'hta',
  'html',
  'svg',
  'wsf',
  'xml',
] as const satisfies readonly KindId[];
export type ScriptLanguage = (typeof scriptLanguages)[number];

export function isScriptLanguage(kind: string): kind is ScriptLanguage {
  return (scriptLanguages as readonly string[]).includes(kind);
}

/** Words that only one language has. The first that fits wins. */
const signs: readonly (readonly [ScriptLanguage, RegExp])[] = [
  ['vbe', /#@~\^[A-Za-z0-9+/=]{8}/],
  ['php', /<\?php\b/i],
  ['wsf', /<(?:job|package)\b[^>]{0,200}>/i],
  ['hta', /<hta:application\b/i],
  ['svg', /<svg\b/i],
  ['html', /<(?:!doctype html|html|head|body|script|iframe|form)\b/i],
  ['shell', /^#!\s*\/\S{0,60}\b(?:ba|da|z|k)?sh\b/],
  ['python', /^#!\s*\/\S{0,60}python|^\s{0,40}(?:import \w+|from \w+ import |def \w+\(.{0,80}\):)|__import__\(/m],
  ['perl', /^#!\s*\/\S{0,60}perl|^\s{0,40}use strict;/m],
  [
    'powershell',
    /\$(?:env:|_\b|PSHOME|ExecutionContext)|\[(?:System\.|Convert\]|Text\.|Reflection\.|Ref\]|char\])|\b(?:New-Object|Invoke-\w+|Write-(?:Host|Output)|Start-Process|Get-\w+|Set-\w+)\b|\bIEX\b|-(?:join|bxor|replace)\b/i,
  ],
  ['vbscript', /\b(?:WScript\.|CreateObject\s*\(|On Error Resume Next|Dim \w+|End (?:Sub|Function|If)|MsgBox)\b/i],
  ['batch', /^\s{0,40}@?echo off|%~?[a-z]*\d|\bset\s+"?\w+=|%\w+:~|\bgoto\s+:?\w+/im],
  [
    'javascript',
    /\b(?:function\s*\w*\s*\(|var \w+\s*=|let \w+\s*=|const \w+\s*=|document\.|window\.|ActiveXObject|=>)/,
  ],
  ['shell', /\b(?:chmod \+x|\/bin\/(?:ba)?sh|wget |curl -|base64 -d)\b/],
];

export function guessLanguage(text: string): ScriptLanguage | undefined {
  const head = text.slice(0, 20_000);
  return signs.find(([, pattern]) => pattern.test(head))?.[0];
}
