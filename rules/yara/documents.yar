rule eicar_test_file : test
{
  meta:
    description = "The test file by which protection programs are tried"
    severity = "info"
    benign = "It is harmless and made for tests"
  strings:
    $words = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR"
  condition:
    $words at 0
}

rule office_automatic_macro : document macro
{
  meta:
    description = "Names of macros that run without being asked for"
    severity = "medium"
    benign = "Company templates fill themselves in with such macros"
    attack = "T1137 T1204.002"
    mbc = "E1204"
  strings:
    $a = /\bAuto_?(Open|Exec|Close|New)\b/ nocase ascii wide
    $b = /\b(Document|Workbook)_(Open|Close|BeforeClose)\b/ nocase ascii wide
    $vba = "Attribut" ascii
    $project = "_VBA_PROJECT" ascii wide
    $sub = /\bSub\s{1,4}/ nocase
  condition:
    any of ($a, $b) and any of ($vba, $project, $sub)
}

rule office_remote_template : document template
{
  meta:
    description = "A document that takes its template from the network"
    severity = "high"
    benign = "Companies keep templates on their own servers"
    attack = "T1221"
  strings:
    $type = "/relationships/attachedTemplate"
    $target = /Target="https?:\/\//
    $mode = "TargetMode=\"External\""
  condition:
    all of them
}

rule office_dde_field : document dde
{
  meta:
    description = "A field that starts a program when it is updated"
    severity = "high"
    benign = "Old spreadsheets take live figures by the same means"
    attack = "T1559.002"
  strings:
    $auto = /DDEAUTO?\s{1,8}["\\]?[A-Za-z\\"]/ nocase ascii wide
    $cmd = /(cmd(\.exe)?|powershell|mshta)/ nocase ascii wide
  condition:
    all of them
}

rule rtf_object_control : document rtf
{
  meta:
    description = "An RTF document that carries and refreshes an object"
    severity = "medium"
    benign = "Documents with embedded tables carry objects, seldom refreshed by themselves"
    attack = "T1203"
  strings:
    $update = "\\objupdate" nocase
    $data = "\\objdata" nocase
  condition:
    uint32(0) == 0x74725c7b and all of them
}

rule pdf_automatic_action : document pdf
{
  meta:
    description = "A PDF document that acts when it is opened"
    severity = "low"
    benign = "Forms and presentations act when they are opened"
    attack = "T1204.002"
  strings:
    $open = /\/(OpenAction|AA)\b/
    $action = /\/(JavaScript|JS|Launch|SubmitForm|URI)\b/
  condition:
    uint32(0) == 0x46445025 and all of them
}

rule shortcut_with_command : shortcut
{
  meta:
    description = "A shortcut that starts an interpreter of commands"
    severity = "medium"
    benign = "Administrators ship shortcuts to scripts"
    attack = "T1204.002 T1059"
  strings:
    $a = "powershell" nocase wide
    $b = "cmd.exe" nocase wide
    $c = "mshta" nocase wide
    $d = "rundll32" nocase wide
    $e = "wscript" nocase wide
  condition:
    uint32(0) == 0x0000004c and uint32(4) == 0x00021401 and any of them
}

rule html_smuggling : html smuggling
{
  meta:
    description = "A page that makes a file out of its own text and saves it"
    severity = "medium"
    benign = "Web programs offer what they made for download in this way"
    attack = "T1027.006"
  strings:
    $blob = "new Blob(" nocase
    $save1 = "msSaveOrOpenBlob" nocase
    $save2 = "createObjectURL" nocase
    $decode = /\b(atob|fromCharCode|Uint8Array)\b/
    $click = ".click()"
  condition:
    $blob and any of ($save*) and $decode and $click
}

rule webshell_php : webshell
{
  meta:
    description = "PHP that runs what a request says"
    severity = "high"
    benign = "Test pages and consoles of administrators do the same"
    attack = "T1505.003"
    mbc = "B0023"
  strings:
    $run = /\b(eval|assert|system|exec|shell_exec|passthru|popen|proc_open|create_function)\s{0,4}\(\s{0,4}(base64_decode\s{0,4}\(|gzinflate\s{0,4}\(|str_rot13\s{0,4}\(|@){0,3}\s{0,4}\$_(GET|POST|REQUEST|COOKIE|SERVER)/ nocase
  condition:
    $run
}

rule webshell_decoded_php : webshell obfuscation
{
  meta:
    description = "PHP that runs what it decodes"
    severity = "medium"
    benign = "Commercial modules hide their source in this way"
    attack = "T1505.003 T1027"
  strings:
    $run = /\b(eval|assert)\s{0,4}\(\s{0,4}@?\s{0,4}(base64_decode|gzinflate|gzuncompress|str_rot13|strrev)\s{0,4}\(/ nocase
  condition:
    $run
}

rule webshell_asp_jsp : webshell
{
  meta:
    description = "A server page that runs what a request says"
    severity = "high"
    benign = "Consoles of administrators do the same"
    attack = "T1505.003"
    mbc = "B0023"
  strings:
    $asp = /\b(eval|execute)\s{0,4}\(?\s{0,4}request\s{0,4}[(.\[]/ nocase
    $jsp = /getRuntime\(\)\s{0,4}\.exec\(\s{0,4}request\.getParameter/ nocase
  condition:
    any of them
}
