rule packer_upx : packer pe elf
{
  meta:
    description = "Sections or marks of the UPX packer"
    severity = "low"
    benign = "Much free software is packed with UPX to be smaller"
    attack = "T1027.002"
    mbc = "F0001.008"
  strings:
    $section0 = "UPX0"
    $section1 = "UPX1"
    $mark = "UPX!"
    $words = "This file is packed with the UPX executable packer"
  condition:
    (uint16(0) == 0x5a4d or uint32(0) == 0x464c457f) and (all of ($section*) or $words or #mark > 1)
}

rule packer_aspack : packer pe
{
  meta:
    description = "Section name of the ASPack packer"
    severity = "low"
    benign = "Older shareware is packed with it"
    attack = "T1027.002"
    mbc = "F0001"
  strings:
    $section = ".aspack\x00"
    $data = ".adata\x00\x00"
  condition:
    uint16(0) == 0x5a4d and uint32(uint32(0x3c)) == 0x00004550 and (for any of them : (@ < 0x600))
}

rule packer_themida : packer pe
{
  meta:
    description = "Section names of the Themida or WinLicense protector"
    severity = "medium"
    benign = "Games and commercial software are protected with it"
    attack = "T1027.002"
    mbc = "F0001.011"
  strings:
    $themida = ".themida"
    $winlicense = ".winlice"
  condition:
    uint16(0) == 0x5a4d and uint32(uint32(0x3c)) == 0x00004550 and for any of them : (@ < 0x600)
}

rule packer_vmprotect : packer pe
{
  meta:
    description = "Section names of the VMProtect protector"
    severity = "medium"
    benign = "Games and commercial software are protected with it"
    attack = "T1027.002"
    mbc = "F0001.010"
  strings:
    $zero = ".vmp0\x00\x00\x00"
    $one = ".vmp1\x00\x00\x00"
  condition:
    uint16(0) == 0x5a4d and uint32(uint32(0x3c)) == 0x00004550 and for any of them : (@ < 0x800)
}

rule packer_mpress : packer pe
{
  meta:
    description = "Section names of the MPRESS packer"
    severity = "low"
    benign = "Some tools are packed with it to be smaller"
    attack = "T1027.002"
    mbc = "F0001"
  strings:
    $one = ".MPRESS1"
    $two = ".MPRESS2"
  condition:
    uint16(0) == 0x5a4d and uint32(uint32(0x3c)) == 0x00004550 and for any of them : (@ < 0x600)
}

rule packer_petite_fsg_nspack : packer pe
{
  meta:
    description = "Section names of older packers (Petite, NsPack, PECompact)"
    severity = "low"
    benign = "Older shareware is packed with them"
    attack = "T1027.002"
    mbc = "F0001"
  strings:
    $petite = ".petite\x00"
    $nspack = ".nsp0\x00\x00\x00"
    $pecompact = "PECompact2"
  condition:
    uint16(0) == 0x5a4d and uint32(uint32(0x3c)) == 0x00004550 and any of them
}

rule bundle_pyinstaller : bundle python
{
  meta:
    description = "A Python program bundled with PyInstaller"
    severity = "info"
    benign = "Many ordinary tools are shipped as such bundles"
    attack = "T1059.006"
  strings:
    $cookie = { 4d 45 49 0c 0b 0a 0b 0e }
    $name = "_MEIPASS"
  condition:
    all of them
}

rule bundle_autoit : bundle autoit
{
  meta:
    description = "A compiled AutoIt script"
    severity = "low"
    benign = "Administrators ship AutoIt scripts as programs"
    attack = "T1059.010"
  strings:
    $magic = { a3 48 4b be 98 6c 4a a9 99 4c 53 0a 86 d6 48 7d }
    $words = "AU3!EA06"
  condition:
    any of them
}

rule installer_nsis : bundle installer
{
  meta:
    description = "An installer made with NSIS"
    severity = "info"
    benign = "Very many ordinary installers are made with it"
  strings:
    $magic = { ef be ad de 4e 75 6c 6c 73 6f 66 74 49 6e 73 74 }
  condition:
    $magic
}
