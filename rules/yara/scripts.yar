rule powershell_download_cradle : script download
{
  meta:
    description = "PowerShell that fetches text and runs it"
    severity = "high"
    benign = "Installers of developer tools document such lines"
    attack = "T1059.001 T1105"
    mbc = "B0023"
  strings:
    $run1 = /\b(iex|invoke-expression)\b/ nocase ascii wide
    $get1 = "DownloadString" nocase ascii wide
    $get2 = "DownloadFile" nocase ascii wide
    $get3 = "DownloadData" nocase ascii wide
    $get4 = "Invoke-WebRequest" nocase ascii wide
    $get5 = "Invoke-RestMethod" nocase ascii wide
  condition:
    $run1 and any of ($get*)
}

rule powershell_encoded_command : script obfuscation
{
  meta:
    description = "PowerShell is started with an encoded command"
    severity = "medium"
    benign = "Management software passes scripts in this way to spare quoting"
    attack = "T1059.001 T1027.010"
  strings:
    $line = /powershell(\.exe)?["']?\s[^\r\n]{0,120}[-\/]e(nc|ncodedcommand|c)?\s{1,4}["']?[A-Za-z0-9+\/]{16}/ nocase ascii wide
  condition:
    $line
}

rule powershell_hidden_window : script stealth
{
  meta:
    description = "PowerShell is started with a hidden window and without its policy"
    severity = "medium"
    benign = "Scheduled maintenance scripts are started so, too"
    attack = "T1564.003 T1059.001"
  strings:
    $hidden = /-w(indowstyle)?\s{1,4}(hidden|1)\b/ nocase ascii wide
    $policy = /-(ep|exec|executionpolicy)\s{1,4}(bypass|unrestricted)/ nocase ascii wide
    $shell = "powershell" nocase ascii wide
  condition:
    all of them
}

rule powershell_amsi_bypass : script evasion
{
  meta:
    description = "Words by which scanning inside PowerShell is switched off"
    severity = "high"
    benign = "Articles and detections about it quote them"
    attack = "T1562.001"
    mbc = "F0004"
  strings:
    $a = "AmsiUtils" nocase ascii wide
    $b = "amsiInitFailed" nocase ascii wide
    $c = "AmsiScanBuffer" nocase ascii wide
  condition:
    2 of them
}

rule powershell_reflective_load : script memory
{
  meta:
    description = "A script loads a program from memory"
    severity = "medium"
    benign = "Some modules ship their libraries inside"
    attack = "T1620"
  strings:
    $load = /\[(System\.)?Reflection\.Assembly\]::Load\(/ nocase ascii wide
    $base = "FromBase64String" nocase ascii wide
    $gzip = "GzipStream" nocase ascii wide
  condition:
    $load and ($base or $gzip)
}

rule javascript_character_codes : script obfuscation
{
  meta:
    description = "JavaScript that builds text from character codes and evaluates it"
    severity = "medium"
    benign = "Packers of JavaScript make code smaller in this way"
    attack = "T1027.010 T1059.007"
    mbc = "E1027"
  strings:
    $codes = "fromCharCode"
    $eval = /\b(eval|Function|execScript)\s{0,4}\(/
  condition:
    all of them and filesize < 5MB
}

rule javascript_obfuscator_names : script obfuscation
{
  meta:
    description = "Names of variables as an obfuscator of JavaScript gives them"
    severity = "low"
    benign = "Commercial web pages are obfuscated with the same program"
    attack = "T1027"
    mbc = "E1027"
  strings:
    $name = /_0x[0-9a-f]{4,6}\b/
  condition:
    #name > 10
}

rule script_shell_object : script behaviour
{
  meta:
    description = "A script that makes the object by which programs are started"
    severity = "medium"
    benign = "Logon and administration scripts use it every day"
    attack = "T1059.005"
  strings:
    $a = "WScript.Shell" nocase ascii wide
    $b = "Shell.Application" nocase ascii wide
    $run = /\.(Run|Exec|ShellExecute)\b/ nocase ascii wide
  condition:
    ($a or $b) and $run and not uint16(0) == 0x5a4d
}

rule script_file_download_objects : script download
{
  meta:
    description = "A script that fetches a file and writes it to disk"
    severity = "high"
    benign = "Update scripts of administrators do the same"
    attack = "T1105"
  strings:
    $get = /(MSXML2\.(Server)?XMLHTTP|Microsoft\.XMLHTTP|WinHttp\.WinHttpRequest)/ nocase ascii wide
    $stream = "ADODB.Stream" nocase ascii wide
    $save = "SaveToFile" nocase ascii wide
  condition:
    all of them
}

rule batch_variable_slicing : script obfuscation
{
  meta:
    description = "A batch file that cuts its words out of variables"
    severity = "medium"
    benign = "Clever batch files cut dates and times in this way"
    attack = "T1027.010"
    mbc = "E1027"
  strings:
    $cut = /%[A-Za-z0-9_#$@]{1,30}:~[0-9-]{1,4},[0-9-]{1,4}%/
  condition:
    #cut > 8
}

rule living_off_the_land_download : command download
{
  meta:
    description = "A program of Windows is used to fetch a file"
    severity = "medium"
    benign = "Administrators fetch files with it"
    attack = "T1105 T1218"
  strings:
    $certutil = /certutil(\.exe)?[^\r\n]{0,60}-urlcache/ nocase ascii wide
    $bits = /bitsadmin(\.exe)?[^\r\n]{0,40}\/transfer/ nocase ascii wide
    $mshta = /mshta(\.exe)?["']?\s{1,4}["']?(https?:|javascript:|vbscript:)/ nocase ascii wide
    $regsvr = /regsvr32(\.exe)?[^\r\n]{0,60}\/i:https?:/ nocase ascii wide
  condition:
    any of them
}

rule shell_download_and_run : script download
{
  meta:
    description = "A shell line that fetches something and gives it to a shell"
    severity = "medium"
    benign = "Installers of developer tools document such lines"
    attack = "T1059.004 T1105"
  strings:
    $pipe = /(curl|wget)\s[^\r\n|]{1,200}\|\s{0,4}(sudo\s{1,4})?(ba|da|z)?sh\b/
    $exec = /(curl|wget)\s[^\r\n]{1,200};\s{0,4}chmod\s{1,4}[^\r\n]{1,60};\s{0,4}\.\//
  condition:
    any of them
}

rule python_exec_decoded : script obfuscation
{
  meta:
    description = "Python that runs what it decodes"
    severity = "medium"
    benign = "Some packages ship their bootstrap code in this way"
    attack = "T1027 T1059.006"
    mbc = "E1027"
  strings:
    $exec = /\b(exec|eval)\s{0,4}\(/
    $decode = /(b64decode|zlib\.decompress|marshal\.loads|bytes\.fromhex|codecs\.decode)\s{0,4}\(/
  condition:
    all of them and filesize < 5MB
}

rule encoded_vbscript : script obfuscation
{
  meta:
    description = "A script in the encoded form of VBScript or JScript"
    severity = "low"
    benign = "Old administration scripts were encoded to hide their source"
    attack = "T1027"
  strings:
    $mark = /#@~\^[A-Za-z0-9+\/]{6}==/
  condition:
    $mark
}
