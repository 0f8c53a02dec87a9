rule pe_without_stub_words : pe structure
{
  meta:
    description = "A PE file without the words of the usual stub"
    severity = "low"
    benign = "Small assemblers, drivers and some linkers leave the stub out"
    attack = "T1027"
  strings:
    $words = "This program"
    $other = "This program must be run under"
  condition:
    uint16(0) == 0x5a4d and uint32(uint32(0x3c)) == 0x00004550 and uint32(0x3c) > 0x40 and not $words and not $other
}

rule pe_header_far : pe structure
{
  meta:
    description = "The PE header lies unusually far behind the beginning"
    severity = "low"
    benign = "Signed installers with long rich headers come near to it"
    attack = "T1027"
  condition:
    uint16(0) == 0x5a4d and uint32(0x3c) > 0x400 and uint32(uint32(0x3c)) == 0x00004550
}

rule pe_injection_apis : pe behaviour
{
  meta:
    description = "Names of functions that write code into another process"
    severity = "medium"
    benign = "Debuggers, protection programs and accessibility tools use them"
    attack = "T1055"
    mbc = "E1055"
  strings:
    $a = "WriteProcessMemory"
    $b = "CreateRemoteThread"
    $c = "VirtualAllocEx"
    $d = "QueueUserAPC"
    $e = "NtUnmapViewOfSection"
    $f = "SetThreadContext"
  condition:
    uint16(0) == 0x5a4d and 3 of them
}

rule pe_keyboard_apis : pe behaviour
{
  meta:
    description = "Names of functions that watch the keyboard"
    severity = "low"
    benign = "Games and programs with hot keys use them"
    attack = "T1056.001"
    mbc = "F0002"
  strings:
    $a = "GetAsyncKeyState"
    $b = "GetKeyboardState"
    $c = "SetWindowsHookEx"
    $d = "GetForegroundWindow"
    $e = "MapVirtualKey"
  condition:
    uint16(0) == 0x5a4d and 3 of them
}

rule pe_memory_dump_api : pe credentials
{
  meta:
    description = "The name of the function that dumps a process, and the process that keeps credentials"
    severity = "high"
    benign = "Crash reporters dump processes, but seldom this one"
    attack = "T1003.001"
  strings:
    $dump = "MiniDumpWriteDump"
    $target = "lsass" nocase ascii wide
  condition:
    all of them
}

rule elf_ld_preload : elf persistence
{
  meta:
    description = "The file that loads a library into every program is named"
    severity = "medium"
    benign = "Profilers and sandboxes name it, too"
    attack = "T1574.006"
  strings:
    $file = "/etc/ld.so.preload"
  condition:
    uint32(0) == 0x464c457f and $file
}

rule elf_packed_by_hand : elf structure
{
  meta:
    description = "An ELF program without section headers that asks for executable memory"
    severity = "low"
    benign = "Small demos and firmware leave sections out"
    attack = "T1027.002"
  strings:
    $mprotect = "mprotect"
    $memfd = "memfd_create"
  condition:
    uint32(0) == 0x464c457f and ((uint8(4) == 2 and uint16(0x3c) == 0) or (uint8(4) == 1 and uint16(0x30) == 0)) and any of them
}

rule go_build : toolchain
{
  meta:
    description = "A program built with Go"
    severity = "info"
    benign = "Very many ordinary tools are written in Go"
  strings:
    $id = "Go build ID: \""
    $info = "\xff Go buildinf:"
  condition:
    any of them
}
