import type { Idiom } from './idiom.ts';

export const systems: readonly Idiom[] = [
  {
    rule: 'script.start-process',
    title: 'Starts programs',
    severity: 'low',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:WScript\.Shell|Shell\.Application|ShellExecute|Start-Process|Win32_Process\b|Process\]?::Start|subprocess\.(?:Popen|run|call)|os\.system|child_process|shell_exec|proc_open|popen)\b/i,
    benign: 'Most administrative scripts do.',
    attack: ['T1059', 'T1106'],
    mbc: ['C0017'],
  },
  {
    rule: 'script.system-program',
    title: 'Uses a program of Windows that runs code for others',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:mshta(?:\.exe)?["']?\s{1,9}["']?(?:https?|javascript|vbscript|[a-z]:)|regsvr32(?:\.exe)?\s.{0,60}(?:scrobj|\/i:)|rundll32(?:\.exe)?\s|installutil(?:\.exe)?\s|msbuild(?:\.exe)?\s.{0,60}\.(?:xml|csproj)|cmstp(?:\.exe)?\s|wmic(?:\.exe)?\s.{0,60}process\s{1,5}call\s{1,5}create|odbcconf(?:\.exe)?\s|msiexec(?:\.exe)?\s.{0,60}https?:|forfiles(?:\.exe)?\s.{0,60}\/c)/i,
    benign: 'Installers and administrators call these programs.',
    attack: ['T1218'],
    mbc: ['E1218.m02'],
  },
  {
    rule: 'script.persistence.registry',
    title: 'Names the keys of the registry that start programs',
    severity: 'high',
    evidenceType: 'behaviour',
    pattern:
      /\\(?:CurrentVersion\\Run(?:Once|Services)?\b|Winlogon\\(?:Shell|Userinit)|Image File Execution Options|Policies\\Explorer\\Run)/i,
    benign: 'Programs that start with Windows register there.',
    attack: ['T1547.001'],
    mbc: ['F0012'],
  },
  {
    rule: 'script.persistence.task',
    title: 'Makes a task, a service or a job that runs later',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:schtasks(?:\.exe)?\s.{0,40}\/create|Register-ScheduledTask|New-ScheduledTask|Schedule\.Service|New-Service\b|sc(?:\.exe)?\s{1,5}create\b|crontab\s{1,5}-|\/etc\/cron|systemctl\s{1,5}enable|LaunchAgents|LaunchDaemons|update-rc\.d)/i,
    benign: 'Update programs make such tasks.',
    attack: ['T1053', 'T1543'],
    mbc: ['F0011'],
  },
  {
    rule: 'script.persistence.start-up',
    title: 'Names places whose content is run at logon',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /\\Start Menu\\Programs\\Startup|SpecialFolders\(["']Startup|__EventFilter|CommandLineEventConsumer|(?:~|\$HOME|\/root|\/home\/\w{1,40})\/\.(?:bashrc|profile|bash_profile|zshrc|config\/autostart)|\.ssh\/authorized_keys|\/etc\/(?:ld\.so\.preload|rc\.local)/i,
    benign: 'Set-up scripts of shells change these files.',
    attack: ['T1547.001', 'T1546'],
    mbc: ['F0012'],
  },
  {
    rule: 'script.credentials',
    title: 'Names places and tools of passwords and keys',
    severity: 'high',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:Invoke-Mimikatz|sekurlsa|lsass\b|Login Data\b|logins\.json|key4\.db|CryptUnprotectData|Get-Credential|vaultcmd|\.aws\/credentials|\.ssh\/id_(?:rsa|ed25519|ecdsa)|\/etc\/shadow|wallet\.dat|security\s{1,5}find-generic-password)/i,
    benign: 'Back-up programs and password managers name them.',
    attack: ['T1555', 'T1552', 'T1003'],
  },
  {
    rule: 'script.discovery',
    title: 'Asks the machine who and where it is',
    severity: 'info',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:whoami|systeminfo|ipconfig\s{1,5}\/all|net\s{1,5}(?:user|group|localgroup|view)|nltest|Get-ADUser|Win32_OperatingSystem|uname\s{1,5}-a|\$env:(?:USERNAME|COMPUTERNAME))\b/i,
    benign: 'Log-on and inventory scripts ask the same.',
    attack: ['T1082', 'T1033'],
    mbc: ['E1082'],
  },
  {
    rule: 'script.exfiltration',
    title: 'Sends data to a service that takes messages or files',
    severity: 'high',
    evidenceType: 'behaviour',
    pattern:
      /(?:api\.telegram\.org\/bot|discord(?:app)?\.com\/api\/webhooks|hooks\.slack\.com\/services|pastebin\.com\/api|transfer\.sh|file\.io\b|webhook\.site|Send-MailMessage|smtplib\.SMTP|UploadString|UploadFile)/i,
    benign: 'Alerts are sent to chats this way.',
    attack: ['T1567', 'T1041'],
  },
  {
    rule: 'script.encryption',
    title: 'Encrypts or makes keys',
    severity: 'low',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:RijndaelManaged|AesManaged|AesCryptoServiceProvider|CreateEncryptor|RSACryptoServiceProvider|Crypto\.Cipher|cryptography\.fernet|openssl\s{1,5}enc)\b/i,
    benign: 'Programs protect their settings.',
    attack: ['T1486', 'T1027.013'],
    mbc: ['C0027'],
  },
  {
    rule: 'script.privileges',
    title: 'Asks for or goes around higher rights',
    severity: 'medium',
    evidenceType: 'behaviour',
    pattern:
      /(?:-Verb\s{1,5}RunAs|\bfodhelper|\beventvwr\b|\\ms-settings\\shell\\open|ComputerDefaults\.exe|DelegateExecute|chmod\s{1,5}(?:[ug]?\+s|[2467]7\d\d)|\bsudo\s{1,5}-S\b|setuid\s?\(\s?0)/i,
    benign: 'Installers ask for administrator rights.',
    attack: ['T1548'],
  },
  {
    rule: 'script.miner',
    title: 'Has words of programs that mine currency',
    severity: 'high',
    evidenceType: 'artifact',
    pattern: /\b(?:stratum\+(?:tcp|ssl):\/\/|xmrig|cryptonight|minerd\b|--donate-level)/i,
    benign: 'Miners that people install themselves.',
    attack: ['T1496'],
    mbc: ['B0018'],
  },
  {
    rule: 'script.web-shell',
    title: 'Runs what a visitor of a web page sends',
    severity: 'critical',
    evidenceType: 'behaviour',
    pattern:
      /\b(?:eval|assert|system|exec|shell_exec|passthru|popen|preg_replace)\s?\(\s?[^;\n]{0,80}\$_(?:GET|POST|REQUEST|COOKIE|SERVER)\b/i,
    benign: 'Administration panels of hosters run commands too, behind a log-in.',
    attack: ['T1505.003'],
  },
];
