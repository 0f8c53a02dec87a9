import type { Idiom } from './idiom.ts';

const installers = 'Installers and administrators fetch programs the same way.';

export const cradles: readonly Idiom[] = [
  {
    rule: 'script.download.powershell',
    title: 'Fetches something from a network (PowerShell)',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:Net\.WebClient|Download(?:String|File|Data)|Invoke-WebRequest|Invoke-RestMethod|Start-BitsTransfer|HttpWebRequest|Net\.Http\.HttpClient|\biwr\b|\birm\b)/i,
    benign: installers,
    attack: ['T1105', 'T1059.001'],
    mbc: ['C0002'],
  },
  {
    rule: 'script.download.com-object',
    title: 'Fetches something from a network through an object of Windows',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:MSXML2\.(?:Server)?XMLHTTP|Microsoft\.XMLHTTP|WinHttp\.WinHttpRequest|InternetExplorer\.Application)/i,
    benign: 'Old intranet scripts use these objects.',
    attack: ['T1105', 'T1059.005'],
    mbc: ['C0002'],
  },
  {
    rule: 'script.download.program',
    title: 'Fetches something with a program of the system',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:certutil(?:\.exe)?["']?\s.{0,80}-urlcache|bitsadmin(?:\.exe)?\s.{0,60}\/transfer|(?:wget|curl)(?:\.exe)?\s.{0,200}https?:\/\/|desktopimgdownldr|finger(?:\.exe)?\s\w{1,40}@)/i,
    benign: installers,
    attack: ['T1105'],
    mbc: ['C0002'],
  },
  {
    rule: 'script.download.pipe-to-shell',
    title: 'Runs what it fetches without keeping it',
    severity: 'high',
    evidenceType: 'behaviour',
    pattern:
      /(?:\b(?:curl|wget)\s[^\n|]{0,300}\|\s{0,9}(?:sudo\s)?(?:ba|z|da)?sh\b|\b(?:iex|Invoke-Expression)\b[^\n]{0,200}(?:Download|iwr|irm|WebRequest)|(?:DownloadString|iwr|irm)\b[^\n]{0,300}\|\s{0,9}(?:iex|Invoke-Expression)\b)/i,
    benign: 'Installers of developer tools are offered as one such line.',
    attack: ['T1105', 'T1059', 'T1620'],
    mbc: ['C0002'],
  },
  {
    rule: 'script.write.stream',
    title: 'Writes bytes to a file through an object of Windows',
    severity: 'low',
    evidenceType: 'behaviour',
    pattern: /\b(?:ADODB\.Stream|SaveToFile|Scripting\.FileSystemObject|WriteAllBytes)\b/i,
    benign: 'Scripts of administrators write files.',
    attack: ['T1105'],
    mbc: ['C0016'],
  },
  {
    rule: 'script.html-smuggling',
    title: 'A page makes a file in the browser and saves it: nothing passes the network as a file',
    severity: 'high',
    evidenceType: 'behaviour',
    pattern: /\b(?:msSaveOrOpenBlob|msSaveBlob|createObjectURL\s?\()/,
    benign: 'Web applications offer exports this way; then the data comes from the user, not from the page.',
    attack: ['T1027.006'],
    mbc: ['E1027'],
  },
  {
    rule: 'script.network.socket',
    title: 'Opens a connection by itself',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:Net\.Sockets\.TCPClient|socket\.socket\s?\(|fsockopen\s?\(|IO::Socket::INET|TCPSocket\.(?:new|open)|net\.connect\s?\()/i,
    benign: 'Monitoring scripts test ports.',
    attack: ['T1095'],
    mbc: ['C0001'],
  },
  {
    rule: 'script.reverse-shell',
    title: 'Connects a shell to a network connection',
    severity: 'critical',
    evidenceType: 'behaviour',
    pattern:
      /(?:\/dev\/(?:tcp|udp)\/[\w.$-]{1,80}\/|\bn(?:c|cat)(?:\.exe)?\s[^\n]{0,80}-[a-z]{0,4}[ec]\s{0,9}["']?(?:\/bin\/|cmd|powershell)|\bmkfifo\b[^\n]{0,200}\|\s{0,9}nc\b|(?:dup2|pty\.spawn)\s?\([^\n]{0,120}(?:fileno|\/bin\/)|\bsocat\b[^\n]{0,120}exec:|GetStream\(\)[\s\S]{0,600}\b(?:iex|Invoke-Expression)\b)/i,
    benign: 'Tests of intrusion detection and teaching material contain such lines.',
    attack: ['T1059', 'T1095'],
    mbc: ['B0022'],
  },
];
