rule credential_stores_browser : credentials
{
  meta:
    description = "Paths where browsers keep passwords and cookies"
    severity = "medium"
    benign = "Backup and migration programs read them"
    attack = "T1555.003 T1539"
    mbc = "E1056"
  strings:
    $chrome = "\\Google\\Chrome\\User Data" nocase ascii wide
    $login = "Login Data" ascii wide
    $state = "Local State" ascii wide
    $logins = "logins.json" ascii wide
    $key4 = "key4.db" ascii wide
    $cookies = "cookies.sqlite" ascii wide
    $linux = ".config/google-chrome" ascii wide
  condition:
    3 of them
}

rule credential_files_unix : credentials
{
  meta:
    description = "Several files with credentials of a Unix user are named"
    severity = "medium"
    benign = "Backup programs and configuration management name them"
    attack = "T1552.001 T1552.004"
  strings:
    $ssh = ".ssh/id_rsa"
    $ed = ".ssh/id_ed25519"
    $aws = ".aws/credentials"
    $shadow = "/etc/shadow"
    $kube = ".kube/config"
    $docker = ".docker/config.json"
    $npmrc = ".npmrc"
    $netrc = ".netrc"
  condition:
    3 of them
}

rule wallet_files : credentials
{
  meta:
    description = "Several stores of wallets are named"
    severity = "medium"
    benign = "Wallet programs and backups name their own"
    attack = "T1005"
  strings:
    $a = "wallet.dat" nocase ascii wide
    $b = "\\Electrum\\wallets" nocase ascii wide
    $c = "\\Exodus\\exodus.wallet" nocase ascii wide
    $d = "\\Ethereum\\keystore" nocase ascii wide
    $e = "nkbihfbeogaeaoehlefnkodbefgpgknn" ascii wide
  condition:
    2 of them
}

rule run_key_persistence : persistence
{
  meta:
    description = "The registry key that starts programs at logon is named"
    severity = "low"
    benign = "Very many ordinary programs start at logon"
    attack = "T1547.001"
    mbc = "F0012"
  strings:
    $key = /\\CurrentVersion\\Run(Once)?\b/ nocase ascii wide
  condition:
    $key
}

rule scheduled_task_creation : persistence
{
  meta:
    description = "A scheduled task is made from the command line"
    severity = "medium"
    benign = "Installers and administrators make tasks in this way"
    attack = "T1053.005"
  strings:
    $task = /schtasks(\.exe)?["']?\s[^\r\n]{0,40}\/create/ nocase ascii wide
  condition:
    $task
}

rule cron_or_unit_persistence : persistence
{
  meta:
    description = "A file that starts programs on Unix is written"
    severity = "low"
    benign = "Packages of services install such files"
    attack = "T1053.003 T1543.002"
  strings:
    $cron = /(>>?|tee)\s{0,4}\/etc\/(cron[.a-z]{0,10}|rc\.local)/
    $crontab = /crontab\s{1,4}-\s{0,4}/
    $unit = /(>>?|tee)\s{0,4}\/(etc|lib)\/systemd\/system\//
  condition:
    any of them
}

rule backup_deletion : impact
{
  meta:
    description = "Commands that delete copies of files which Windows keeps"
    severity = "high"
    benign = "Administrators free disk space in this way, seldom quietly"
    attack = "T1490"
    mbc = "F0014"
  strings:
    $vss = /vssadmin(\.exe)?["']?\s{1,4}delete\s{1,4}shadows/ nocase ascii wide
    $wmic = /wmic(\.exe)?["']?\s{1,4}shadowcopy\s{1,4}delete/ nocase ascii wide
    $bcd = /bcdedit(\.exe)?["']?\s[^\r\n]{0,60}recoveryenabled\s{1,4}no/ nocase ascii wide
    $wbadmin = /wbadmin(\.exe)?["']?\s{1,4}delete\s{1,4}(catalog|systemstatebackup)/ nocase ascii wide
  condition:
    any of them
}

rule ransom_note_words : impact
{
  meta:
    description = "Several turns of phrase of notes that demand a ransom"
    severity = "high"
    benign = "Articles about such notes quote them"
    attack = "T1486"
    mbc = "E1486"
  strings:
    $a = "your files have been encrypted" nocase ascii wide
    $b = "all your files" nocase ascii wide
    $c = "decryption key" nocase ascii wide
    $d = "bitcoin" nocase ascii wide
    $e = "do not rename" nocase ascii wide
    $f = "private key" nocase ascii wide
    $g = "tor browser" nocase ascii wide
    $h = "decryptor" nocase ascii wide
  condition:
    4 of them
}

rule protection_switched_off : evasion
{
  meta:
    description = "Commands that switch off protection of Windows"
    severity = "high"
    benign = "Administrators of test machines do the same"
    attack = "T1562.001"
    mbc = "F0004"
  strings:
    $a = /Set-MpPreference\s[^\r\n]{0,80}-Disable/ nocase ascii wide
    $b = /Add-MpPreference\s[^\r\n]{0,40}-Exclusion/ nocase ascii wide
    $c = "DisableAntiSpyware" nocase ascii wide
    $d = /netsh(\.exe)?\s[^\r\n]{0,40}firewall\s[^\r\n]{0,40}state\s{1,4}off/ nocase ascii wide
  condition:
    any of them
}

rule event_log_clearing : evasion
{
  meta:
    description = "Commands that clear logs"
    severity = "medium"
    benign = "Administrators clear logs of test machines"
    attack = "T1070.001 T1070.003"
  strings:
    $a = /wevtutil(\.exe)?["']?\s{1,4}(cl|clear-log)\s/ nocase ascii wide
    $b = "Clear-EventLog" nocase ascii wide
    $c = /history\s{1,4}-c\b/
    $d = /(rm\s{1,4}-f|>)\s{0,4}[^\r\n]{0,20}\/var\/log\/(auth\.log|wtmp|secure)/
  condition:
    any of them
}

rule debugger_checks : evasion debugger
{
  meta:
    description = "Several ways to notice a debugger"
    severity = "low"
    benign = "Copy protection and crash handlers ask the same"
    attack = "T1622"
    mbc = "B0001"
  strings:
    $a = "IsDebuggerPresent"
    $b = "CheckRemoteDebuggerPresent"
    $c = "NtQueryInformationProcess"
    $d = "OutputDebugString"
    $e = "OLLYDBG" nocase ascii wide
    $f = "x64dbg" nocase ascii wide
    $g = "PTRACE_TRACEME"
  condition:
    3 of them
}

rule virtual_machine_checks : evasion sandbox
{
  meta:
    description = "Several names by which virtual machines are noticed"
    severity = "medium"
    benign = "Drivers and inventory programs know these names"
    attack = "T1497.001"
    mbc = "B0009"
  strings:
    $a = "VBoxGuest" nocase ascii wide
    $b = "VBoxService" nocase ascii wide
    $c = "vmtoolsd" nocase ascii wide
    $d = "VMwareVMware" ascii wide
    $e = "SbieDll" nocase ascii wide
    $f = "qemu-ga" nocase ascii wide
    $g = "KVMKVMKVM" ascii wide
    $h = "wine_get_unix_file_name"
  condition:
    2 of them
}

rule sandbox_names : evasion sandbox
{
  meta:
    description = "Several programs of analysts are named"
    severity = "medium"
    benign = "Protection programs and analysts' own tools name them"
    attack = "T1497.001 T1057"
    mbc = "B0013"
  strings:
    $a = "procmon.exe" nocase ascii wide
    $b = "wireshark.exe" nocase ascii wide
    $c = "fiddler.exe" nocase ascii wide
    $d = "ollydbg.exe" nocase ascii wide
    $e = "processhacker.exe" nocase ascii wide
    $f = "ida64.exe" nocase ascii wide
  condition:
    3 of them
}
