/** Names of the numbers in PE headers. */

export const machines: Readonly<Record<number, string>> = {
  0: 'any',
  332: 'x86',
  354: 'MIPS R3000',
  358: 'MIPS R4000',
  361: 'MIPS WCE v2',
  388: 'Alpha',
  418: 'SH3',
  422: 'SH4',
  448: 'ARM',
  450: 'ARM Thumb',
  452: 'ARM Thumb-2',
  496: 'PowerPC',
  512: 'Itanium',
  644: 'Alpha64',
  3772: 'EFI byte code',
  20530: 'RISC-V 32',
  20580: 'RISC-V 64',
  25138: 'LoongArch 32',
  25188: 'LoongArch 64',
  34404: 'x86-64',
  42561: 'ARM64EC',
  43620: 'ARM64',
};

export const subsystems: Readonly<Record<number, string>> = {
  0: 'unknown',
  1: 'native',
  2: 'windows gui',
  3: 'console',
  5: 'os/2 console',
  7: 'posix console',
  8: 'native win9x',
  9: 'windows ce gui',
  10: 'efi application',
  11: 'efi boot service driver',
  12: 'efi runtime driver',
  13: 'efi rom',
  14: 'xbox',
  16: 'windows boot application',
};

export const fileCharacteristics: Readonly<Record<number, string>> = {
  1: 'relocs_stripped',
  2: 'executable_image',
  4: 'line_nums_stripped',
  8: 'local_syms_stripped',
  32: 'large_address_aware',
  256: '32bit_machine',
  512: 'debug_stripped',
  1024: 'removable_run_from_swap',
  2048: 'net_run_from_swap',
  4096: 'system',
  8192: 'dll',
  16384: 'up_system_only',
};

export const dllCharacteristics: Readonly<Record<number, string>> = {
  32: 'high_entropy_va',
  64: 'dynamic_base',
  128: 'force_integrity',
  256: 'nx_compat',
  512: 'no_isolation',
  1024: 'no_seh',
  2048: 'no_bind',
  4096: 'appcontainer',
  8192: 'wdm_driver',
  16384: 'guard_cf',
  32768: 'terminal_server_aware',
};

export const directoryNames = [
  'export',
  'import',
  'resource',
  'exception',
  'security',
  'relocation',
  'debug',
  'architecture',
  'global_pointer',
  'tls',
  'load_config',
  'bound_import',
  'import_address_table',
  'delay_import',
  'clr_header',
  'reserved',
] as const;
export type DirectoryName = (typeof directoryNames)[number];

export const debugTypes: Readonly<Record<number, string>> = {
  1: 'coff',
  2: 'codeview',
  3: 'fpo',
  4: 'misc',
  5: 'exception',
  6: 'fixup',
  9: 'borland',
  12: 'vc_feature',
  13: 'pogo',
  14: 'iltcg',
  15: 'mpx',
  16: 'repro',
  17: 'embedded_portable_pdb',
  19: 'pdb_checksum',
  20: 'ex_dll_characteristics',
};

export const resourceTypes: Readonly<Record<number, string>> = {
  1: 'cursor',
  2: 'bitmap',
  3: 'icon',
  4: 'menu',
  5: 'dialog',
  6: 'string',
  7: 'font_directory',
  8: 'font',
  9: 'accelerator',
  10: 'rcdata',
  11: 'message_table',
  12: 'group_cursor',
  14: 'group_icon',
  16: 'version',
  17: 'dialog_include',
  19: 'plug_play',
  20: 'vxd',
  21: 'animated_cursor',
  22: 'animated_icon',
  23: 'html',
  24: 'manifest',
};

export const sectionBits = { code: 0x20, data: 0x40, bss: 0x80, discard: 0x02000000, shared: 0x10000000 } as const;
export const executeBit = 0x20000000;
export const readBit = 0x40000000;
export const writeBit = 0x80000000;
