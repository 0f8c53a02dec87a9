const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Extensions of what runs, or makes something run. */
export const runningExtensions = words(`
  exe dll sys scr com pif cpl drv ocx msi msp mst bat cmd ps1 psm1 psd1 vbs vbe js jse wsf wsh hta sct inf reg lnk url
  jar class apk dex so dylib elf bin sh bash zsh py pyc pyo pyw pl rb php asp aspx jsp jspx ashx cgi chm iso img vhd vhdx
  xll ppam xlam docm xlsm pptm dotm xltm one appref-ms application gadget scpt command workflow pkg dmg app deb rpm run ko
`);
/** Extensions of what carries something. */
export const carryingExtensions = words(`
  doc docx xls xlsx ppt pptx rtf pdf zip rar 7z gz tgz tar bz2 xz cab ace arj zst z eml msg html htm mht xml json svg
  csv txt dat db tmp log ini cfg conf config key pem crt cer p12 pfx ppk kdbx ost pst dmp png jpg jpeg gif bmp ico mov
  mp4 mp3 wav swf odt ods pdb ova vmdk bak yml yaml md toml locked encrypted
`);

/** Words that name a file far more often than a site, before an extension that is a top-level domain as well. */
export const fileStems = words(`
  setup run install main test tests init index build script update config configure backup archive data files docs readme
  manage start stop deploy launch make common util helper helpers client server app model models views urls settings
  conftest utils loader payload dropper shell decode encode parse parser scan report sample samples malware infected
  output input temp new old copy final a b c x y z 1 2 3 stage1 stage2 entrypoint bootstrap cron clean cleanup gradlew
  mvnw license changelog contributing security history notes todo lib libs source src dist release package exploit poc
  photos images pictures invoice document documents download downloads attachment
`);

/** Commands that take a file, directly before a name. */
export const fileCommands =
  /(?:^|[\s;&|("'`])(?:python[\d.]*|perl|bash|sh|zsh|source|chmod(?:\s+\S{1,12})?|unzip|zip|tar(?:\s+\S{1,12})?|cat|vim?|nano|rm(?:\s+-\w{1,4})?|mv|cp|open|import|file|script|attachment|filename|archive|saved as|written to|drops?|dropped|extracts?|executes?|runs?|exec)["'`:=\s(]{1,4}$/;

/** Part of Windows or of every Unix: named in nearly each import table. */
export const stockFiles = words(`
  kernel32.dll kernelbase.dll ntdll.dll user32.dll gdi32.dll advapi32.dll shell32.dll ole32.dll oleaut32.dll msvcrt.dll
  ws2_32.dll wsock32.dll wininet.dll winhttp.dll urlmon.dll comctl32.dll comdlg32.dll crypt32.dll rpcrt4.dll shlwapi.dll
  version.dll winmm.dll mscoree.dll mscorlib.dll psapi.dll iphlpapi.dll netapi32.dll setupapi.dll userenv.dll secur32.dll
  bcrypt.dll ncrypt.dll dbghelp.dll imm32.dll gdiplus.dll winspool.drv uxtheme.dll msimg32.dll wtsapi32.dll dnsapi.dll
  sechost.dll ucrtbase.dll vcruntime140.dll msvcp140.dll msvcr100.dll msvcr120.dll msvcrt40.dll mpr.dll oleacc.dll
  imagehlp.dll lz32.dll ntoskrnl.exe hal.dll explorer.exe svchost.exe lsass.exe services.exe winlogon.exe csrss.exe
  smss.exe notepad.exe taskmgr.exe conhost.exe rundll.exe wininit.exe spoolsv.exe dwm.exe libc.so ld-linux.so libm.so libpthread.so libdl.so
  cmd.exe powershell.exe net.exe sc.exe desktop.ini thumbs.db web.config app.config package.json tsconfig.json
  asp.net
`);

export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Weight of the extension: 2 runs, 1 carries, 0 is none we know. */
export function extensionWeight(extension: string): 0 | 1 | 2 {
  if (runningExtensions.has(extension)) return 2;
  return carryingExtensions.has(extension) ? 1 : 0;
}
