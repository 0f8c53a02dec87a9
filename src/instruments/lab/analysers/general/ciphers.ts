/** Simple ways to hide bytes. */

export interface Cipher {
  readonly id: 'xor' | 'add' | 'rol' | 'xor-increment';
  readonly title: string;
  /** The byte behind `cipher`, `index` bytes after the one that the key was found at. */
  readonly plain: (cipher: number, key: number, index: number) => number;
}

export const rotate = (byte: number, by: number): number => ((byte << by) | (byte >> (8 - by))) & 255;

export const ciphers: Record<Cipher['id'], Cipher> = {
  xor: { id: 'xor', title: 'XOR with one byte', plain: (cipher, key) => cipher ^ key },
  add: { id: 'add', title: 'addition of one byte', plain: (cipher, key) => (cipher - key) & 255 },
  rol: { id: 'rol', title: 'rotation of bits', plain: (cipher, key) => rotate(cipher, key) },
  'xor-increment': {
    id: 'xor-increment',
    title: 'XOR with a byte that grows by one',
    plain: (cipher, key, index) => cipher ^ ((key + index) & 255),
  },
};

/** Words that are looked for behind a cipher. */
export const plaintexts: readonly string[] = [
  'This program ',
  'http://',
  'https://',
  'h\0t\0t\0p\0:\0/\0/\0',
  'powershell',
  'PowerShell',
  'cmd.exe',
  '%PDF-1.',
  'PK\x03\x04\x14\0',
  'kernel32.dll',
  'KERNEL32.dll',
  'CurrentVersion\\Run',
  'CreateProcess',
  'GetProcAddress',
  'User-Agent: ',
];

const caseShifts: readonly number[] = [0x20, 0xe0];

/** No key is no cipher, and under a shift by 32 letters only change their case. */
export function isTrivial(id: Cipher['id'], key: number, plaintext: string): boolean {
  if (id === 'xor-increment') return false;
  return key === 0 || (id !== 'rol' && caseShifts.includes(key) && /^[A-Za-z]+$/.test(plaintext));
}
