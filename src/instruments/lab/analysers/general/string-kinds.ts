/** Which strings are worth a look, by what they look like. The first that fits names the string. */

export interface StringKind {
  readonly id: string;
  /** What is shown first. */
  readonly rank: number;
  readonly pattern: RegExp;
}

const apis =
  'VirtualAlloc(?:Ex)?|VirtualProtect(?:Ex)?|WriteProcessMemory|ReadProcessMemory|CreateRemoteThread(?:Ex)?|NtUnmapViewOfSection|QueueUserAPC|SetWindowsHookEx[AW]?|GetAsyncKeyState|LoadLibrary(?:Ex)?[AW]?|GetProcAddress|WinExec|ShellExecute(?:Ex)?[AW]?|CreateProcess[AW]?|URLDownloadToFile[AW]?|InternetOpen(?:Url)?[AW]?|HttpSendRequest[AW]?|WinHttpOpen|IsDebuggerPresent|CheckRemoteDebuggerPresent|NtQueryInformationProcess|CryptEncrypt|CryptDecrypt|CryptAcquireContext[AW]?|BCryptEncrypt|RegSetValueEx[AW]?|RegCreateKeyEx[AW]?|CreateService[AW]?|OpenProcess|AdjustTokenPrivileges|MiniDumpWriteDump|ptrace|mprotect|memfd_create|process_vm_writev|dlopen|execve|setuid';

export const stringKinds: readonly StringKind[] = [
  { id: 'url', rank: 1, pattern: /\b(?:https?|ftps?|wss?|ldaps?|tcp):\/\/[^\s"'<>]{3}/i },
  {
    id: 'command',
    rank: 2,
    pattern:
      /\b(?:powershell|pwsh|cmd(?:\.exe)? \/[ck]|wscript|cscript|mshta|rundll32|regsvr32|certutil|bitsadmin|schtasks|vssadmin|wmic|bcdedit|net(?:1|sh)? (?:user|stop|localgroup|advfirewall)|taskkill|reg add|curl -|wget -|\/bin\/(?:ba)?sh|chmod \+?[0-7x]|crontab|nohup|iptables)\b/i,
  },
  {
    id: 'registry',
    rank: 3,
    pattern: /\b(?:HKEY_[A-Z_]{5,20}|HKLM|HKCU)\\|\\CurrentVersion\\|^Software\\Microsoft\\/i,
  },
  { id: 'pdb', rank: 4, pattern: /\.pdb$/i },
  { id: 'user-agent', rank: 4, pattern: /\bMozilla\/\d|^User-Agent:/i },
  { id: 'mail-address', rank: 4, pattern: /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\b/ },
  { id: 'address', rank: 5, pattern: /(?:^|[^\d.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{2,5})?(?:$|[^\d.])/ },
  { id: 'api', rank: 5, pattern: new RegExp(`^(?:${apis})$`) },
  {
    id: 'path',
    rank: 6,
    pattern:
      /\b[a-z]:\\[\w ]|^\\\\[\w.?]|%(?:temp|appdata|programdata|public|userprofile|windir)%|\/(?:tmp|etc|var|dev\/shm|root|home|proc|usr\/bin)\/\w/i,
  },
  { id: 'secret', rank: 6, pattern: /\b(?:password|passwd|api[_-]?key|secret|token|BEGIN [A-Z ]{0,20}PRIVATE KEY)\b/i },
  {
    id: 'file-name',
    rank: 7,
    pattern: /^[\w .-]{1,60}\.(?:exe|dll|sys|bat|cmd|ps1|vbs|js|scr|so|sh|py|jar|docm|xlsm|zip|dat|tmp)$/i,
  },
];
