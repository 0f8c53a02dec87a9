import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import type { Facts } from '../contract.ts';
import type { KindId } from '../kinds.ts';
import { checkBehaviours, type StaticCapability } from './check.ts';
import { behaviourNames, readBehaviours } from './rules.ts';

const pe = (functions: readonly string[], more: Facts = {}): Facts => ({
  imports: [{ dll: 'KERNEL32.dll', functions }],
  import_count: functions.length,
  packer: null,
  ...more,
});

describe('the behaviours', () => {
  it('are thirteen for Windows, with as many functions as they need', () => {
    const counts = readBehaviours().windows.map(({ id, minimum, apis }) => [id, minimum, apis.length]);
    expect(counts).toEqual([
      ['clipboard_hijacking', 2, 4],
      ['http_c2_wininet', 2, 7],
      ['winhttp_c2', 2, 6],
      ['socket_c2', 3, 7],
      ['process_injection_remote', 3, 8],
      ['process_injection_self', 2, 4],
      ['registry_persistence_run', 2, 3],
      ['lnk_persistence', 1, 3],
      ['browser_credential_theft', 1, 1],
      ['screen_capture', 3, 6],
      ['keylog_polling', 1, 3],
      ['keylog_hook', 1, 1],
      ['network_share_enum', 1, 4],
    ]);
    for (const { id, apis, minimum } of [...readBehaviours().windows, ...readBehaviours().linux]) {
      expect(new Set(apis).size, id).toBe(apis.length);
      expect(minimum, id).toBeLessThanOrEqual(apis.length);
    }
    expect(new Set(behaviourNames()).size).toBe(behaviourNames().length);
    expect(readBehaviours().packers).toHaveLength(17);
  });
});

const injection = ['OpenProcess', 'VirtualAllocEx', 'WriteProcessMemory', 'CreateRemoteThread'];

const table: readonly (readonly [string, KindId, readonly Facts[], string, StaticCapability])[] = [
  ['enough imports', 'pe', [pe(injection)], 'process_injection_remote', 'capable_statically'],
  [
    'the names of the native interface',
    'pe',
    [pe(['OpenProcess', 'ZwMapViewOfSection', 'ZwCreateThreadEx'])],
    'process_injection_remote',
    'capable_statically',
  ],
  [
    'names for either width',
    'pe',
    [pe(['InternetOpenA', 'InternetOpenUrlW'])],
    'http_c2_wininet',
    'capable_statically',
  ],
  ['too few', 'pe', [pe(['OpenProcess', 'CreateFileW'])], 'process_injection_remote', 'incapable_statically'],
  ['a longer name that begins the same', 'pe', [pe(['SetWindowsHookExtra'])], 'keylog_hook', 'incapable_statically'],
  [
    'too few, but names are looked up',
    'pe',
    [pe(['GetProcAddress', 'LoadLibraryA'])],
    'process_injection_remote',
    'possibly_via_dynamic_resolution',
  ],
  ['looked up without a library', 'pe', [pe(['GetProcAddress'])], 'process_injection_remote', 'incapable_statically'],
  [
    'packed',
    'pe',
    [pe(['GetProcAddress', 'LoadLibraryA'], { packer: 'UPX' })],
    'process_injection_remote',
    'analysis_incomplete',
  ],
  ['packed, says a tool', 'pe', [pe([]), { packers: ['Packer: VMProtect(3)'] }], 'keylog_hook', 'analysis_incomplete'],
  [
    'packed, and yet enough',
    'pe',
    [pe(injection, { packer: 'UPX' })],
    'process_injection_remote',
    'capable_statically',
  ],
  ['managed', 'dotnet', [pe(['_CorExeMain'], { is_dotnet: true })], 'keylog_hook', 'analysis_incomplete'],
  [
    'managed, with a platform call',
    'dotnet',
    [pe([]), { platform_calls: [{ dll: 'user32', functions: ['SetWindowsHookEx'] }], platform_call_count: 1 }],
    'keylog_hook',
    'capable_statically',
  ],
  ['imports that were not read', 'pe', [{}], 'keylog_hook', 'analysis_incomplete'],
  [
    'imports that were left out',
    'pe',
    [pe(['CreateFileW'], { import_count: 5000 })],
    'keylog_hook',
    'analysis_incomplete',
  ],
  ['a document', 'pdf', [], 'keylog_hook', 'not_applicable'],
  [
    'an ELF asked for Windows',
    'elf',
    [{ imported_functions: ['SetWindowsHookEx'], imported_function_count: 1 }],
    'keylog_hook',
    'not_applicable',
  ],
  [
    'an ELF',
    'elf',
    [{ imported_functions: ['ptrace'], imported_function_count: 1 }],
    'linux_process_injection',
    'capable_statically',
  ],
  [
    'an ELF with dlsym',
    'elf',
    [{ imported_functions: ['dlsym', 'puts'], imported_function_count: 2 }],
    'linux_process_injection',
    'possibly_via_dynamic_resolution',
  ],
  [
    'a static ELF',
    'elf',
    [{ imported_functions: [], imported_function_count: 0 }],
    'linux_process_injection',
    'analysis_incomplete',
  ],
  [
    'delayed imports',
    'pe',
    [pe([], { delay_imports: [{ dll: 'crypt32.dll', functions: ['CryptUnprotectData'] }], delay_import_count: 1 })],
    'browser_credential_theft',
    'capable_statically',
  ],
];

describe('checkBehaviours', () => {
  it.each(table)('%s', (_name, kind, facts, behaviour, expected) => {
    const [result, ...rest] = checkBehaviours(kind, facts, behaviour).results;
    expect(rest).toEqual([]);
    expect(result?.static_capability).toBe(expected);
    expect([...(result?.apis_present ?? []), ...(result?.apis_missing ?? [])].toSorted()).toEqual(
      [...(result?.required_apis ?? [])].toSorted(),
    );
  });

  it('answers for all behaviours of the system', () => {
    expect(checkBehaviours('pe', [pe([])]).results).toHaveLength(13);
    expect(
      checkBehaviours('elf', [{ imported_functions: ['a'] }]).results.every(({ behavior }) =>
        behavior.startsWith('linux_'),
      ),
    ).toBe(true);
    expect(
      checkBehaviours('pdf', []).results.every(({ static_capability }) => static_capability === 'not_applicable'),
    ).toBe(true);
  });

  it('refuses a name that it does not know', () => {
    expect(() => checkBehaviours('pe', [], 'world_domination')).toThrow(UsageError);
  });
});
