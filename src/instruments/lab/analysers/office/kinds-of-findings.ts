/** Findings that more than one form of document gives: the same rule always says the same. */

export const ddeKind = {
  rule: 'office.dde',
  title: 'The document asks another program for data when it is opened (DDE)',
  severity: 'high',
  evidenceType: 'behaviour',
  benign: 'Feeds of market prices into workbooks work this way; a command shell as the partner is not usual.',
  attack: ['T1559.002', 'T1204.002'],
} as const;

export const packageKind = {
  rule: 'office.embedded.package',
  title: 'The document carries a file of another kind that opens on a double click',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'Reports have tables and archives attached in this way.',
  attack: ['T1204.002', 'T1027.009'],
} as const;

export const riskyPackageKind = {
  rule: 'office.embedded.executable-name',
  title: 'A file inside the document has the name of a program, script or shortcut',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Support departments sometimes hand out small scripts inside documents.',
  attack: ['T1204.002', 'T1027.009'],
} as const;

export const objectKind = {
  rule: 'office.embedded.object',
  title: 'The document contains embedded objects of other programs',
  severity: 'info',
  evidenceType: 'structural',
  benign: 'Charts and tables of other Office programs are embedded every day.',
} as const;

export const equationKind = {
  rule: 'office.embedded.equation',
  title: 'The document contains an object of the old Equation Editor',
  severity: 'high',
  evidenceType: 'structural',
  benign:
    'Papers written before 2018 have formulas made with it; the editor was withdrawn for its memory errors (CVE-2017-11882, CVE-2018-0802).',
  attack: ['T1203'],
} as const;

export const remoteTemplateKind = {
  rule: 'office.remote-template',
  title: 'The document loads its template from another place when it is opened',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Firms keep their templates on a server of their own; a public address is unusual.',
  attack: ['T1221'],
} as const;

export const encryptedKind = {
  rule: 'office.encrypted',
  title: 'The document is encrypted',
  severity: 'low',
  evidenceType: 'structural',
  benign: 'Confidential documents are protected with passwords.',
  attack: ['T1027.013'],
} as const;

export const defaultPasswordKind = {
  rule: 'office.encrypted.default-password',
  title: 'The document is encrypted with the password that Office tries by itself',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'Workbooks with a protected structure are stored this way by Excel itself.',
  attack: ['T1027.013'],
} as const;

/** Ends of names under which Windows starts something, or opens a container without a mark of the web. */
export const riskyNames =
  /\.(?:exe|scr|com|pif|cpl|dll|sys|ocx|msi|msp|mst|bat|cmd|ps1|psm1|vbs|vbe|js|jse|wsf|wsh|wsc|sct|hta|lnk|url|scf|reg|inf|jar|jnlp|chm|hlp|iso|img|vhd|vhdx|xll|appref-ms|application|gadget|library-ms|search-ms|settingcontent-ms|msc|one|diagcab|theme|desktopthemepackfile|py|pyw|sh|command|app|dmg|pkg|apk)[\s.\u200b]*$/i;

/** Objects by the class that draws them. */
export const classNames: Readonly<Record<string, { readonly title: string; readonly isEquation?: boolean }>> = {
  '0002CE02-0000-0000-C000-000000000046': { title: 'Equation Editor 3.0', isEquation: true },
  '0002CE03-0000-0000-C000-000000000046': { title: 'MathType', isEquation: true },
  '0003000C-0000-0000-C000-000000000046': { title: 'Package' },
  'F20DA720-C02F-11CE-927B-0800095AE340': { title: 'Package (OLE)' },
  '00020906-0000-0000-C000-000000000046': { title: 'Word document' },
  '00020820-0000-0000-C000-000000000046': { title: 'Excel worksheet' },
  '00020810-0000-0000-C000-000000000046': { title: 'Excel 5 worksheet' },
  '00020821-0000-0000-C000-000000000046': { title: 'Excel chart' },
  '64818D10-4F9B-11CF-86EA-00AA00B929E8': { title: 'PowerPoint presentation' },
  'F4754C9B-64F5-4B40-8AF4-679732AC0607': { title: 'Word document (OOXML)' },
  '00020830-0000-0000-C000-000000000046': { title: 'Excel worksheet (OOXML)' },
  '00020832-0000-0000-C000-000000000046': { title: 'Excel macro worksheet (OOXML)' },
  'CF4F55F4-8F87-4D47-80BB-5808164BB3F8': { title: 'PowerPoint presentation (OOXML)' },
  '000C1084-0000-0000-C000-000000000046': { title: 'Windows Installer package' },
  '000C1086-0000-0000-C000-000000000046': { title: 'Windows Installer patch' },
  '00020D0B-0000-0000-C000-000000000046': { title: 'Outlook message' },
  'D27CDB6E-AE6D-11CF-96B8-444553540000': { title: 'Shockwave Flash' },
  '8856F961-340A-11D0-A96B-00C04FD705A2': { title: 'Web browser control' },
  '79EAC9E0-BAF9-11CE-8C82-00AA004BA90B': { title: 'URL moniker' },
  '00000300-0000-0000-C000-000000000046': { title: 'Linked object' },
  '06290BD3-48AA-11D2-8432-006008C3FBFC': { title: 'Scriptlet moniker' },
  'BDD1F04B-858B-11D1-B16A-00C0F0283628': { title: 'ListView control' },
  '996BF5E0-8044-4650-ADEB-0B013914E99C': { title: 'ListView control (older)' },
};
