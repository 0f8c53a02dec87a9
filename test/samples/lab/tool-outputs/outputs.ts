import { capa } from './capa-outputs.ts';

/** What tools print, written by hand in the forms that they document. Names in it are harmless examples. */

export const diec = `[!] Heuristic scan is disabled
${JSON.stringify({
  detects: [
    {
      filetype: 'PE32',
      parentfilepart: 'Header',
      values: [
        { info: '', name: 'UPX', string: 'Packer: UPX(4.02)[NRV,brute]', type: 'Packer', version: '4.02' },
        { info: '', name: 'MinGW', string: 'Compiler: MinGW', type: 'Compiler', version: '' },
      ],
    },
  ],
})}`;

export const flatDiec = JSON.stringify({
  detects: [
    { name: 'Nullsoft Scriptable Install System', string: 'Installer: NSIS(3.08)', type: 'Installer', version: '3.08' },
  ],
});

export const pdfid = `PDFiD 0.2.8 /sample
 PDF Header: %PDF-1.5
 obj                   20
 endobj                20
 stream                 5
 endstream              5
 xref                   1
 trailer                1
 startxref              1
 /Page                  2
 /Encrypt               0
 /ObjStm                0
 /JS                    1(1)
 /JavaScript            2
 /AA                    0
 /OpenAction            1
 /AcroForm              0
 /JBIG2Decode           0
 /RichMedia             0
 /Launch                0
 /EmbeddedFile          0
 /XFA                   0
 /URI                   3
 /Colors > 2^24         0
`;

export const pdfParser = `This program has not been tested with this version of Python (3.13.3)
Should you encounter problems, please use Python version 3.12.2
Comment: 10
XREF: 1
Trailer: 1
StartXref: 1
Indirect object: 18
Indirect objects with a stream: 5, 7, 9
  7: 5, 7, 9, 10, 22, 23, 28
 /Action 1: 4
 /Catalog 2: 1, 27
 /EmbeddedFile 1: 11
 /Page 2: 3, 25
Unreferenced indirect objects: 1 0 R
Search keywords:
 /JS 1: 4
 /JavaScript 1: 4
 /OpenAction 1: 1
`;

export const olevba = `olevba 0.60.2 on Python 3.11.2 - http://decalage.info/python/oletools
===============================================================================
FILE: /sample
Type: OLE
-------------------------------------------------------------------------------
VBA MACRO ThisDocument.cls 
in file: /sample - OLE stream: 'Macros/VBA/ThisDocument'
- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - 
Sub AutoOpen()
  Shell "cmd /c echo http://files.example.com/a"
End Sub
-------------------------------------------------------------------------------
VBA MACRO Module1.bas 
in file: /sample - OLE stream: 'Macros/VBA/Module1'
- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - 
(empty macro)
+----------+--------------------+---------------------------------------------+
|Type      |Keyword             |Description                                  |
+----------+--------------------+---------------------------------------------+
|AutoExec  |AutoOpen            |Runs when the Word document is opened        |
|Suspicious|Shell               |May run an executable file or a system       |
|          |                    |command                                      |
|Suspicious|VBA Stomping        |VBA Stomping was detected: the VBA source    |
|          |                    |code and P-code are different                |
|IOC       |http://files.example|URL                                          |
|          |.com/a              |                                             |
+----------+--------------------+---------------------------------------------+
`;

export const olevbaNone = `olevba 0.60.2 on Python 3.11.2 - http://decalage.info/python/oletools
===============================================================================
FILE: /sample
Type: OpenXML
No VBA or XLM macros found.

`;

export const oleid = `oleid 0.60.1 - http://decalage.info/oletools
THIS IS WORK IN PROGRESS - Check updates regularly!
Please report any issue at https://github.com/decalage2/oletools/issues

Filename: /sample
--------------------+--------------------+----------+--------------------------
Indicator           |Value               |Risk      |Description               
--------------------+--------------------+----------+--------------------------
File format         |MS Word 97-2003     |info      |                          
                    |Document or Template|          |                          
--------------------+--------------------+----------+--------------------------
Encrypted           |False               |none      |The file is not encrypted 
--------------------+--------------------+----------+--------------------------
VBA Macros          |Yes, suspicious     |HIGH      |This file contains VBA    
                    |                    |          |macros. Suspicious        
                    |                    |          |keywords were found.      
--------------------+--------------------+----------+--------------------------
XLM Macros          |No                  |none      |This file does not contain
                    |                    |          |Excel 4/XLM macros.       
--------------------+--------------------+----------+--------------------------
External            |1                   |MEDIUM    |External relationships    
Relationships       |                    |          |found                     
--------------------+--------------------+----------+--------------------------
`;

export const oleidOld = `Filename: word.doc
+-------------------------------+-----------------------+
| Indicator                     | Value                 |
+-------------------------------+-----------------------+
| OLE format                    | True                  |
| Encrypted                     | True                  |
| VBA Macros                    | True                  |
+-------------------------------+-----------------------+
`;

const rule = '-'.repeat(80);
export const peframe = `
${rule}
File Information (time: 0:00:01.204112)
${rule}
filename         sample.exe
filetype         PE32 executable (GUI) Intel 80386, for MS Windows
filesize         12288
hash sha256      ${'ab'.repeat(32)}
imagebase        0x400000
dll              False
sections         .text, .data

${rule}
Packer
${rule}
UPX v3.0

${rule}
Anti Debug
${rule}
IsDebuggerPresent

${rule}
Possible Breakpoint
${rule}
CreateRemoteThread
RegSetValueExA
CreateFileA

${rule}
Url
${rule}
http://files.example.com/x
`;

export const readelfHeader = `ELF Header:
  Magic:   7f 45 4c 46 02 01 01 00 00 00 00 00 00 00 00 00 
  Class:                             ELF64
  Data:                              2's complement, little endian
  Version:                           1 (current)
  OS/ABI:                            UNIX - System V
  Type:                              EXEC (Executable file)
  Machine:                           Advanced Micro Devices X86-64
  Entry point address:               0x401000
  Number of program headers:         3
  Number of section headers:         0
`;

export const flossText = `FLARE FLOSS RESULTS (version v3.1.1-0-g3cd3ee6)

+------------------------+---------------------------------+
| file path              | /sample                         |
| extracted strings      |                                 |
|  static strings        | 3 (24 characters)               |
+------------------------+---------------------------------+

 ──────────────────────────── 
  FLOSS STATIC STRINGS (3)   
 ──────────────────────────── 

+-----------------------------------+
| FLOSS STATIC STRINGS: ASCII (2)   |
+-----------------------------------+

!This program cannot be run in DOS mode.
http://one.example.com/

+------------------------------------+
| FLOSS STATIC STRINGS: UTF-16LE (1) |
+------------------------------------+

wide text

 ───────────────────────── 
  FLOSS STACK STRINGS (1)  
 ───────────────────────── 

built on stack

 ───────────────────────── 
  FLOSS TIGHT STRINGS (0)  
 ───────────────────────── 

 ─────────────────────────── 
  FLOSS DECODED STRINGS (2)  
 ─────────────────────────── 

http://two.example.com/
decoded
`;

export const flossJson = JSON.stringify({
  analysis: { enable_static_strings: true },
  metadata: { version: '3.1.1' },
  strings: {
    static_strings: [{ encoding: 'ASCII', offset: 77, string: 'plain' }],
    stack_strings: [{ encoding: 'ASCII', function: 4_198_400, string: 'stacked' }],
    tight_strings: [],
    decoded_strings: [{ address: 0, encoding: 'ASCII', string: 'http://two.example.com/' }],
    language_strings: [],
  },
});

export const yara = `Harmless_Text [tag1] [author="x",description="y ] z"] /sample with space
0x0:$a: root
0xb:$a: root
UPX_Packed /sample with space
UPXv30_more /sample with space
warning: rule "slow" in file is slowing down scanning
`;

export const exiftool = `ExifTool Version Number         : 12.57
File Name                       : sample
Directory                       : /tmp
File Size                       : 508 bytes
File Modification Date/Time     : 2026:11:15 15:28:46+00:00
File Permissions                : -rw-r--r--
File Type                       : PDF
Author                          : somebody@example.com
Create Date                     : 2020:01:02 03:04:05
`;

export const ssdeep = `ssdeep,1.1--blocksize:hash:hash,filename
3072:DblyvE2VecD2crUvYpr0meZJfEdjdkIKacl:DyEaeS10VhEdjyIdcl,"/sample"
`;

export const tsharkDns = 'www.example.com\t\t\nwww.example.com\t192.0.2.7,192.0.2.8\t1,1\nmail.example.com\t\t\n';
export const tsharkNames = 'tls.example.com\n\ntls.example.com\n';
export const tsharkFingerprint =
  'tls.handshake.ja4\ttls.handshake.ja3\ttls.handshake.extensions_server_name\tip.dst\ttcp.dstport\n' +
  `t13d1516h2_8daaf6152771_b186095e22b6\t${'0a'.repeat(16)}\ttls.example.com\t192.0.2.7\t443\n`;

export const tsharkConversations = `================================================================================
TCP Conversations
Filter:<No Filter>
                                                           |       <-      | |       ->      | |     Total     |    Relative    |   Duration   |
                                                           | Frames  Bytes | | Frames  Bytes | | Frames  Bytes |      Start     |              |
10.0.0.1:5000              <-> 192.0.2.7:443                    1 54 bytes        2 184 bytes       3 238 bytes     2.000000000         2.0000
[2001:db8::1]:5000         <-> [2001:db8::2]:80                 1 5 kB            2 1 kB            3 6 kB          2.500000000         7.5000
================================================================================
`;

export const rtfobj = `rtfobj 0.60.1 on Python 3.11.2 - http://decalage.info/python/oletools
THIS IS WORK IN PROGRESS - Check updates regularly!

===============================================================================
File: '/sample' - size: 6789 bytes
---+----------+---------------------------------------------------------------
id |index     |OLE Object                                                     
---+----------+---------------------------------------------------------------
0  |000008CAh |format_id: 2 (Embedded)                                        
   |          |class name: b'Equation.3'                                      
   |          |data size: 3072                                                
   |          |MD5 = '00000000000000000000000000000000'                       
---+----------+---------------------------------------------------------------
1  |00001234h |Not a well-formed OLE object                                   
---+----------+---------------------------------------------------------------
2  |00002345h |format_id: 2 (Embedded)                                        
   |          |class name: b'OLE2Link'                                        
   |          |Possibly an exploit for the OLE2Link vulnerability (VU#921560, 
   |          |CVE-2017-0199)                                                 
   |          |URL extracted: http://files.example.com/default.hta            
---+----------+---------------------------------------------------------------
`;

export const oledump = `  1:       114             '\\x01CompObj'
  2:      4096             '\\x05DocumentSummaryInformation'
  3: M    9852    9000+852 'Macros/VBA/ThisDocument'
  4: m    1156    924+232  'Macros/VBA/Sheet1'
A: word/vbaProject.bin
 A1:       358             'PROJECT'
 A2: O     700             'ObjectPool/_1/Ole10Native'
`;

/** One of each form, by the parser that reads it. */
export const outputsByParser: Readonly<Record<string, readonly string[]>> = {
  capa: [capa],
  diec: [diec, flatDiec],
  pdfid: [pdfid],
  'pdf-parser': [pdfParser],
  olevba: [olevba, olevbaNone],
  oleid: [oleid, oleidOld],
  peframe: [peframe],
  'readelf-header': [readelfHeader],
  floss: [flossText, flossJson],
  yara: [yara],
  exiftool: [exiftool],
  ssdeep: [ssdeep],
  'tshark-dns': [tsharkDns],
  'tshark-names': [tsharkNames],
  'tshark-fingerprint': [tsharkFingerprint],
  'tshark-conversations': [tsharkConversations],
  rtfobj: [rtfobj],
  oledump: [oledump],
};
