import { startsWith } from '../office/bytes.ts';

/** What an embedded file most likely is, by how it begins: a hint for its name, the recognition proper comes later. */

export interface Hint {
  readonly title: string;
  readonly extension: string;
  readonly isRisky: boolean;
}

const signatures: readonly { readonly bytes: readonly number[]; readonly hint: Hint }[] = [
  { bytes: [0x4d, 0x5a], hint: { title: 'Windows program', extension: '.exe', isRisky: true } },
  { bytes: [0x4c, 0, 0, 0, 1, 0x14, 2, 0], hint: { title: 'shortcut', extension: '.lnk', isRisky: true } },
  { bytes: [0x49, 0x54, 0x53, 0x46], hint: { title: 'compiled help', extension: '.chm', isRisky: true } },
  { bytes: [0x89, 0x50, 0x4e, 0x47], hint: { title: 'picture', extension: '.png', isRisky: false } },
  { bytes: [0xff, 0xd8, 0xff], hint: { title: 'picture', extension: '.jpg', isRisky: false } },
  { bytes: [0x47, 0x49, 0x46, 0x38], hint: { title: 'picture', extension: '.gif', isRisky: false } },
  { bytes: [0x25, 0x50, 0x44, 0x46], hint: { title: 'PDF document', extension: '.pdf', isRisky: false } },
  { bytes: [0x50, 0x4b, 3, 4], hint: { title: 'zip container', extension: '.zip', isRisky: false } },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], hint: { title: 'compound file', extension: '.ole', isRisky: false } },
  { bytes: [0x7b, 0x5c, 0x72, 0x74], hint: { title: 'RTF document', extension: '.rtf', isRisky: false } },
];

const scripts: readonly { readonly pattern: RegExp; readonly hint: Hint }[] = [
  {
    pattern: /<hta:application|<script[\s>]|<job[\s>]|<package>/i,
    hint: { title: 'HTML or script host file', extension: '.hta', isRisky: true },
  },
  {
    pattern: /@echo off|^\s*(?:start|set|cmd|powershell)\b/im,
    hint: { title: 'batch file', extension: '.bat', isRisky: true },
  },
  {
    pattern: /WScript\.|CreateObject\s*\(|^\s*(?:Dim|Sub|On Error)\b/im,
    hint: { title: 'VBScript', extension: '.vbs', isRisky: true },
  },
  {
    pattern: /ActiveXObject|^\s*(?:var|function)\s+\w/im,
    hint: { title: 'JavaScript', extension: '.js', isRisky: true },
  },
  {
    pattern: /Invoke-|New-Object|^\s*(?:param\s*\(|\$\w+\s*=)/im,
    hint: { title: 'PowerShell script', extension: '.ps1', isRisky: true },
  },
];

export function hintOf(bytes: Uint8Array): Hint {
  const signature = signatures.find((one) => startsWith(bytes, one.bytes));
  if (signature !== undefined) return signature.hint;
  const head = bytes.subarray(0, 4096);
  const isWide = startsWith(head, [0xff, 0xfe]);
  const text = new TextDecoder(isWide ? 'utf-16le' : 'windows-1252').decode(head);
  const isText = !/[\x00-\x08\x0e-\x1f]/.test(text);
  const script = isText ? scripts.find(({ pattern }) => pattern.test(text)) : undefined;
  return script?.hint ?? { title: isText ? 'text' : 'data', extension: isText ? '.txt' : '.bin', isRisky: false };
}
