import type { IndicatorKind } from '../kind.ts';
import { limits } from '../limits.ts';
import { singleBackslashes } from '../read-windows-path.ts';
import { claim, type Scan } from '../scan.ts';
import { quoteBefore, walkPath } from '../walk-path.ts';

const roots: Readonly<Record<string, string>> = {
  hkey_local_machine: 'HKLM',
  hkey_current_user: 'HKCU',
  hkey_classes_root: 'HKCR',
  hkey_users: 'HKU',
  hkey_current_config: 'HKCC',
  'registry\\machine': 'HKLM',
  'registry\\user': 'HKU',
};
const start =
  /(?<![\w\\%.-])\\?(?<root>HKEY_(?:LOCAL_MACHINE|CURRENT_USER|CLASSES_ROOT|USERS|CURRENT_CONFIG)|HK(?:LM|CU|CR|CC|U)|registry\\{1,2}(?:machine|user)):?\\{1,4}(?=[^\s\\])|(?<![\w\\:%.-])(?:software\\{1,2}(?:microsoft|policies|classes|wow6432node)|system\\{1,2}(?:currentcontrolset|controlset00\d))\\{1,2}(?=[^\s\\])/gi;
const telling =
  /\\(?:run|runonce|runservices|winlogon|image file execution options|appinit_dlls|policies\\explorer\\run|userinit|shell|services|lsa|windows defender|disabletaskmgr|inprocserver32|uninstall)(?:\\|$)/i;

function report(scan: Scan, from: number, bodyFrom: number, to: number, root: string | undefined): void {
  const body = singleBackslashes(scan.text.slice(bodyFrom, to));
  const plain = singleBackslashes(root ?? '').toLowerCase();
  const prefix = root === undefined ? '' : `${roots[plain] ?? plain.toUpperCase()}\\`;
  const value = prefix + (root === undefined ? singleBackslashes(scan.text.slice(from, to)) : body);
  const confidence = telling.test(value) ? 0.85 : root === undefined ? 0.5 : 0.7;
  scan.report({ type: 'registry_key', value, key: value.toLowerCase(), from, to, confidence });
  const service = /\\services\\([^\\]{2,80})/i.exec(value)?.[1];
  if (service !== undefined && !/^(?:tcpip|eventlog|netbt|dnscache|lanman)/i.test(service)) {
    const at = from + scan.text.slice(from, to).lastIndexOf(service);
    scan.report({
      type: 'service_name',
      value: service,
      key: service.toLowerCase(),
      from: at,
      to: at + service.length,
      confidence: 0.5,
    });
  }
}

/** With its root in any spelling, and without one where the first words leave no doubt. */
export const registryKey: IndicatorKind = {
  type: 'registry_key',
  title: 'key of the registry',
  misp: { type: 'regkey', category: 'Persistence mechanism' },
  stix: { path: 'windows-registry-key:key', observable: (value) => ({ type: 'windows-registry-key', key: value }) },
  readers: [
    {
      trigger: 'text',
      read: (scan) => {
        let until = 0;
        for (const match of scan.text.matchAll(start)) {
          if (match.index < until) continue;
          const from = match.index;
          const bodyFrom = from + match[0].length;
          const to = walkPath(scan, bodyFrom, { quote: quoteBefore(scan.text, from), isFile: false });
          if (to === undefined) {
            scan.overlong += 1;
            until = bodyFrom + limits.pathLength;
            continue;
          }
          if (to <= bodyFrom) continue;
          report(scan, from, bodyFrom, to, match.groups?.root);
          scan.claim(from, to, claim.path);
          until = to;
        }
        return undefined;
      },
    },
  ],
};
