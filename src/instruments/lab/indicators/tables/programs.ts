const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Programs of Windows that run or fetch other people's code, and tools that attackers bring along. */
export const tellingPrograms = words(`
  certutil mshta regsvr32 rundll32 bitsadmin wmic cscript wscript msiexec installutil regasm regsvcs msbuild cmstp odbcconf
  forfiles schtasks psexec psexec64 psexesvc paexec mimikatz procdump procdump64 vssadmin wbadmin bcdedit wevtutil nltest
  ntdsutil dsquery adfind esentutl expand extrac32 findstr hh ieexec makecab mavinject microsoft.workflow.compiler msdt
  msconfig pcalua pcwrun presentationhost replace rpcping runscripthelper scriptrunner syncappvpublishingserver
  tttracer verclsid wab xwizard appsync at auditpol cipher cmdkey csvde diskshadow eventvwr fodhelper computerdefaults
  sdclt netsh nbtstat quser qwinsta reg taskkill takeown icacls whoami systeminfo tasklist ipconfig arp route nslookup
  lazagne rubeus sharphound bloodhound seatbelt winpeas chisel plink ngrok frpc rclone megasync anydesk screenconnect
  pwdump gsecdump wce nircmd nc nc64 ncat netcat socat
`);

/** Names that are words of the language or of every script, too: without `.exe` they tell nothing. */
export const plainWords = words('at expand replace reg hh cipher route arp wab nc whoami findstr cipher sdclt quser');

/** Cmdlets and .NET methods that fetch, decode, run or hide. */
export const tellingCmdlets: ReadonlyMap<string, string> = new Map(
  `
  Invoke-Expression Invoke-WebRequest Invoke-RestMethod Invoke-Command Invoke-WmiMethod Invoke-CimMethod Invoke-Mimikatz
  Invoke-Shellcode Invoke-ReflectivePEInjection Invoke-PSInject Invoke-DllInjection Invoke-Obfuscation Invoke-Item
  Invoke-Kerberoast Invoke-BloodHound Invoke-TokenManipulation Invoke-SMBExec Invoke-WMIExec Invoke-PowerShellTcp
  Start-Process Start-BitsTransfer Start-Job New-Object New-Service New-ScheduledTask New-ScheduledTaskAction
  New-PSSession New-PSDrive New-ItemProperty New-LocalUser Register-ScheduledTask Register-WmiEvent Set-ExecutionPolicy
  Set-MpPreference Add-MpPreference Set-ItemProperty Set-WmiInstance Enter-PSSession Get-WmiObject Get-CimInstance
  Get-Credential Get-Keystrokes Get-Clipboard Get-ADUser Get-ADComputer Get-GPPPassword Out-Minidump Out-EncodedCommand
  Add-Type Add-LocalGroupMember ConvertTo-SecureString ConvertFrom-SecureString Compress-Archive Expand-Archive
  Disable-WindowsOptionalFeature Stop-Service Stop-Process Remove-Item Clear-EventLog Unblock-File Test-NetConnection
  Enable-PSRemoting Import-Module DownloadString DownloadFile DownloadData FromBase64String
  `
    .trim()
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
);

/** So common in harmless scripts that they tell little. */
export const commonCmdlets = words(
  'new-object remove-item import-module get-ciminstance get-wmiobject start-process stop-process stop-service new-itemproperty set-itemproperty add-type invoke-item',
);
