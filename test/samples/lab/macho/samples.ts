import { type MachSample, makeMach, makeUniversal } from './make-macho.ts';

const entitlements = `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>com.apple.security.get-task-allow</key><true/><key>com.apple.security.network.client</key><true/><key>com.apple.security.app-sandbox</key><false/></dict></plist>`;

const base: MachSample = {
  cpu: 0x01000007,
  libraries: ['/usr/lib/libSystem.B.dylib', '/System/Library/Frameworks/Security.framework/Security'],
  rpaths: ['@executable_path/../Frameworks', '/tmp/lib'],
  imports: [
    ['task_for_pid', 1],
    ['mach_vm_write', 1],
    ['thread_create_running', 1],
    ['SecItemCopyMatching', 2],
  ],
  exports: ['main'],
};

const arm: MachSample = {
  ...base,
  cpu: 0x0100000c,
  sign: { identifier: 'com.example.sample', team: 'EXAMPLE123', entitlements },
};

export const machoSamples = {
  x64: (): Buffer => makeMach(base),
  arm64: (): Buffer => makeMach(arm),
  x86: (): Buffer => makeMach({ ...base, cpu: 7, writableCode: true }),
  dylib: (): Buffer =>
    makeMach({
      cpu: 0x0100000c,
      fileType: 6,
      installName: '@rpath/libsample.dylib',
      libraries: ['/usr/lib/libSystem.B.dylib'],
      exports: ['alpha', 'beta'],
    }),
  /** One byte of the code was changed after signing. */
  tampered: (): Buffer => {
    const file = makeMach(arm);
    file[0x1010] = 0xcc;
    return file;
  },
  universal: (): Buffer =>
    makeUniversal([
      { cpu: 0x01000007, bytes: makeMach(base) },
      { cpu: 0x0100000c, bytes: makeMach(arm) },
    ]),
} as const;
