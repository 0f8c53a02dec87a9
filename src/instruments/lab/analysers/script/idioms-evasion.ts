import type { Idiom } from './idiom.ts';

const packers = 'Packers and protectors of ordinary scripts do this too.';

export const evasions: readonly Idiom[] = [
  {
    rule: 'script.amsi',
    title: 'Names the interface by which Windows looks at scripts (AMSI)',
    severity: 'high',
    evidenceType: 'behaviour',
    pattern: /\b(?:amsiInitFailed|AmsiUtils|AmsiScanBuffer|amsi\.dll|amsiContext)\b/i,
    benign: 'Security tools test whether it works.',
    attack: ['T1562.001'],
    mbc: ['F0004'],
  },
  {
    rule: 'script.defender',
    title: 'Changes settings of the virus protection or the firewall',
    severity: 'high',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:(?:Set|Add)-MpPreference|DisableRealtimeMonitoring|-ExclusionPath|netsh\s{1,5}(?:adv)?firewall\s.{0,60}(?:off|disable)|setenforce\s{1,5}0|ufw\s{1,5}disable|sc(?:\.exe)?\s{1,5}(?:stop|delete)\s{1,5}WinDefend)/i,
    benign: 'Administrators exclude folders of databases.',
    attack: ['T1562.001', 'T1562.004'],
    mbc: ['F0004'],
  },
  {
    rule: 'script.execution-policy',
    title: 'Goes around the policy for scripts, or hides the window',
    severity: 'low',
    evidenceType: 'behaviour',
    pattern:
      /(?:-e(?:x|xec|xecutionpolicy|p)\s{1,9}(?:bypass|unrestricted)|-w(?:in|indowstyle)?\s{1,9}h(?:idden)?\b|\bCreateNoWindow\b|-nop(?:rofile)?\b.{0,60}-w)/i,
    benign: 'Software distribution starts its scripts exactly so.',
    attack: ['T1059.001', 'T1564.003'],
    mbc: ['E1564'],
  },
  {
    rule: 'script.run-text',
    title: 'Runs text as code',
    severity: 'low',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:eval|exec|execScript|ExecuteGlobal|assert)\s?\(|\bExecute(?:Global)?\s{1,5}\w|\b(?:iex|Invoke-Expression)\b|\[scriptblock\]::Create|new\s{1,5}Function\s?\(/i,
    benign: 'Template engines and module loaders do this.',
    attack: ['T1059', 'T1027.010'],
    mbc: ['E1059'],
  },
  {
    rule: 'script.decode',
    title: 'Decodes or unpacks data that it carries',
    severity: 'low',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:FromBase64String|b64decode|base64_decode|base64\s{1,5}(?:-d|--decode)|atob\s?\(|GzipStream|DeflateStream|gzinflate|zlib\.decompress|marshal\.loads|unescape\s?\(|-decode(?:hex)?\b)/i,
    benign: packers,
    attack: ['T1140'],
    mbc: ['C0053'],
  },
  {
    rule: 'script.load-code',
    title: 'Loads machine code or an assembly into memory',
    severity: 'high',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:VirtualAlloc(?:Ex)?|WriteProcessMemory|CreateRemoteThread|CreateThread|RtlMoveMemory|QueueUserAPC|NtMapViewOfSection|GetDelegateForFunctionPointer)\b|Reflection\.Assembly\]?(?:::|\.)Load|\[AppDomain\]::CurrentDomain\.Load|\bctypes\.windll\b/i,
    benign: 'Bindings of languages to system libraries name some of these.',
    attack: ['T1620', 'T1055'],
    mbc: ['E1055'],
  },
  {
    rule: 'script.sandbox-check',
    title: 'Asks for virtual machines, analysis tools or the user before it goes on',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:Win32_ComputerSystem\b.{0,200}(?:Model|Manufacturer)|VMware|VirtualBox|VBOX|QEMU|wireshark|procmon|sandboxie|IsDebuggerPresent|navigator\.webdriver)\b/i,
    benign: 'Inventory scripts ask for the model; drivers and installers name virtual machines.',
    attack: ['T1497.001'],
    mbc: ['B0009'],
  },
  {
    rule: 'script.delay',
    title: 'Waits for a long time',
    severity: 'info',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:WScript\.Sleep|Start-Sleep\s{1,5}(?:-s(?:econds)?\s{1,5})?\d{3,}|time\.sleep\s?\(\s?\d{3,}|timeout\s{1,5}\/t\s{1,5}\d{3,}|ping\s{1,5}-n\s{1,5}\d{2,}\s)/i,
    benign: 'Scripts wait for services to start.',
    attack: ['T1497.003'],
    mbc: ['B0003'],
  },
  {
    rule: 'script.shadow-copies',
    title: 'Deletes backups of the system or turns off recovery',
    severity: 'critical',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:vssadmin(?:\.exe)?\s.{0,20}delete\s.{0,20}shadows|wmic(?:\.exe)?\s.{0,20}shadowcopy\s.{0,20}delete|wbadmin\s{1,5}delete|bcdedit\b.{0,80}(?:recoveryenabled|bootstatuspolicy)|Win32_ShadowCopy)/i,
    benign: 'Scripts that free disk space remove old copies.',
    attack: ['T1490'],
    mbc: ['F0014'],
  },
  {
    rule: 'script.clear-traces',
    title: 'Removes records of what was done',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:wevtutil(?:\.exe)?\s{1,5}cl\b|Clear-EventLog|history\s{1,5}-c\b|unset\s{1,5}HISTFILE|HISTFILE=\/dev\/null|HISTSIZE=0|rm\s.{0,20}(?:\.bash_history|\/var\/log)|Clear-History)/i,
    benign: 'Images of machines are cleaned before they are copied.',
    attack: ['T1070'],
    mbc: ['F0003'],
  },
];
