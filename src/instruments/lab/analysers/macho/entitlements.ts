import type { Gathering } from '../native/gathering.ts';
import { tidy } from '../native/wording.ts';

const mostKeys = 100;

/** Rights that take protections away or reach private things. */
const notable: Readonly<Record<string, string>> = {
  'com.apple.security.get-task-allow': 'other processes may debug it',
  'get-task-allow': 'other processes may debug it',
  'com.apple.security.cs.debugger': 'it may debug other processes',
  'com.apple.security.cs.disable-library-validation': 'it loads libraries of anybody',
  'com.apple.security.cs.allow-dyld-environment-variables': 'the environment can add libraries',
  'com.apple.security.cs.allow-unsigned-executable-memory': 'it may run code that nobody signed',
  'com.apple.security.cs.disable-executable-page-protection': 'its code can be changed while it runs',
  'task_for_pid-allow': 'it may control other processes',
  'com.apple.private.tcc.allow': 'it need not ask for private data',
  'com.apple.rootless.install': 'it may change protected parts of the system',
};

/** Keys whose value is true. The file is a property list; only its flat pairs matter here. */
export function findEntitlements(xml: string, gathering: Gathering): string[] {
  const keys = [
    ...xml.slice(0, 200_000).matchAll(/<key>([^<]{1,200})<\/key>\s{0,40}<(true|string|array|dict|integer|false)/g),
  ];
  const granted = keys.filter(([, , value]) => value !== 'false').map(([, key = '']) => tidy(key, 200));
  const found = granted.filter((key) => Object.hasOwn(notable, key));
  if (found.length > 0)
    gathering.find({
      rule: 'macho.entitlements.notable',
      title: 'Rights that take protections away or reach other processes',
      severity: 'low',
      evidenceType: 'structural',
      evidence: found.map((key) => ({ where: `entitlement ${key}`, text: notable[key] ?? '' })),
      benign: 'Browsers, language runtimes, debuggers and test builds need some of them.',
      attack: ['T1574.006'],
    });
  return granted.slice(0, mostKeys);
}
