import type { FindingRule } from '../draft.ts';

export const rules = {
  interpreter: {
    rule: 'lnk.target.interpreter',
    title: 'Starts an interpreter or a system program that can run code for others',
    severity: 'medium',
    evidenceType: 'behaviour',
    benign: 'Administrators make shortcuts to consoles and to scripts.',
    attack: ['T1204.002', 'T1059', 'T1218'],
    mbc: ['E1204', 'E1059'],
  },
  arguments: {
    rule: 'lnk.arguments.present',
    title: 'Passes arguments to what it starts',
    severity: 'info',
    evidenceType: 'artifact',
    benign: 'Installers make shortcuts with options.',
  },
  padded: {
    rule: 'lnk.arguments.padded',
    title: 'Arguments are padded with blanks, which pushes them out of the properties window',
    severity: 'high',
    evidenceType: 'structural',
    benign: 'No program that makes shortcuts pads them.',
    attack: ['T1027', 'T1036'],
    mbc: ['E1027'],
  },
  long: {
    rule: 'lnk.arguments.long',
    title: 'Arguments are longer than the properties window shows (260 characters)',
    severity: 'medium',
    evidenceType: 'structural',
    benign: 'Shortcuts of Java programs and of web applications can be long.',
    attack: ['T1027.012'],
  },
  address: {
    rule: 'lnk.arguments.address',
    title: 'Target or arguments name an address on a network',
    severity: 'medium',
    evidenceType: 'artifact',
    benign: 'Browsers save links to pages as shortcuts.',
    attack: ['T1105', 'T1204.001'],
  },
  icon: {
    rule: 'lnk.icon.of-document',
    title: 'Shows the icon of a document or folder but starts a program',
    severity: 'medium',
    evidenceType: 'structural',
    benign: 'Office shortcuts start a program and show its icon, which can look like this.',
    attack: ['T1036', 'T1204.002'],
  },
  hidden: {
    rule: 'lnk.window.minimised',
    title: 'Starts its program minimised',
    severity: 'low',
    evidenceType: 'behaviour',
    benign: 'Programs that live in the corner of the screen are started this way.',
    attack: ['T1564.003'],
    mbc: ['E1564'],
  },
  remoteIcon: {
    rule: 'lnk.icon.remote',
    title: 'The icon lies on another machine: showing it sends the name and a hash of the user there',
    severity: 'high',
    evidenceType: 'behaviour',
    benign: 'Companies keep icons on a share of their own.',
    attack: ['T1187', 'T1547.009'],
  },
  appended: {
    rule: 'lnk.appended-data',
    title: 'Data follows after the end of the shortcut',
    severity: 'high',
    evidenceType: 'structural',
    benign: 'No program that makes shortcuts appends anything.',
    attack: ['T1027.009'],
  },
  large: {
    rule: 'lnk.large',
    title: 'Is much larger than shortcuts are',
    severity: 'low',
    evidenceType: 'structural',
    benign: 'Shortcuts with many properties reach some kilobytes.',
    attack: ['T1027.001'],
  },
  zeroTimes: {
    rule: 'lnk.times.none',
    title: 'Has no times and no machine: it was not made by Windows itself in the usual way',
    severity: 'low',
    evidenceType: 'structural',
    benign: 'Libraries and installers make such shortcuts too.',
  },
} as const satisfies Readonly<Record<string, FindingRule>>;

/** Programs of Windows that run code which others give them. */
export const interpreters =
  /(?:^|[\\/"'\s&|(,;])(cmd|powershell|pwsh|mshta|wscript|cscript|rundll32|regsvr32|msiexec|certutil|bitsadmin|forfiles|conhost|explorer|curl|ftp|wmic|schtasks|installutil|msbuild|regasm|odbcconf|hh|control|cmstp|pcalua|ssh|python|node)(?:\.exe)?(?=["'\s,;&|)]|$)/i;

export const documentIcon =
  /\.(?:pdf|docx?|xlsx?|pptx?|txt|jpg|png|zip|html?|mp[34])$|(?:acrord32|acrobat|winword|excel|powerpnt|wordpad|notepad|msedge|chrome)\.exe$|(?:imageres|shell32)\.dll$/i;
