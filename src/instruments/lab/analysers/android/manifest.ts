import type { Json } from '../../contract.ts';
import { capped, type Draft, excerpt } from '../draft.ts';
import type { XmlElement } from './binary-xml.ts';
import { dangerousPermissions } from './permissions.ts';
import { rules } from './rules.ts';

const componentNames = new Set(['activity', 'activity-alias', 'service', 'receiver', 'provider']);
const powerful = /BIND_(?:ACCESSIBILITY_SERVICE|DEVICE_ADMIN|NOTIFICATION_LISTENER_SERVICE|VPN_SERVICE|INPUT_METHOD)$/;

interface Component {
  readonly type: string;
  readonly name: string;
  readonly exported: boolean;
  readonly permission?: string;
  readonly actions: readonly string[];
}

function readComponent(element: XmlElement): Component {
  const filters = element.children.filter(({ name }) => name === 'intent-filter');
  const actions = filters.flatMap(({ children }) =>
    children
      .filter(({ name }) => name === 'action')
      .map(({ attributes }) => excerpt(attributes.get('name') ?? '', 150)),
  );
  const permission = element.attributes.get('permission');
  const said = element.attributes.get('exported');
  return {
    type: element.name,
    name: excerpt(element.attributes.get('name') ?? '', 200),
    // Until Android 12 a filter alone opened a component.
    exported: said === undefined ? filters.length > 0 : said === 'true',
    ...(permission === undefined ? {} : { permission: excerpt(permission, 150) }),
    actions: actions.slice(0, 20),
  };
}

export function addManifest(draft: Draft, root: XmlElement): void {
  const attribute = (element: XmlElement | undefined, name: string): string | undefined => {
    const value = element?.attributes.get(name);
    return value === undefined ? undefined : excerpt(value, 200);
  };
  const list = (key: string, values: readonly Json[], most: number): void => {
    for (const [name, value] of Object.entries(capped(key, values, most))) draft.fact(name, value);
  };
  const children = (name: string): XmlElement[] => root.children.filter((child) => child.name === name);
  const [application] = children('application');
  const [sdk] = children('uses-sdk');
  draft.fact('package', attribute(root, 'package'));
  draft.fact('version_code', attribute(root, 'versionCode'));
  draft.fact('version_name', attribute(root, 'versionName'));
  draft.fact('min_sdk', attribute(sdk, 'minSdkVersion'));
  draft.fact('target_sdk', attribute(sdk, 'targetSdkVersion'));
  for (const [fact, name] of [
    ['debuggable', 'debuggable'],
    ['allow_backup', 'allowBackup'],
    ['cleartext_traffic', 'usesCleartextTraffic'],
  ] as const) {
    draft.fact(fact, attribute(application, name));
  }
  const permissions = [...children('uses-permission'), ...children('uses-permission-sdk-23')].map(
    (one) => attribute(one, 'name') ?? '',
  );
  list('permissions', permissions, 200);
  const short = permissions.map((name) => name.replace(/^.*\./, ''));
  const dangerous = short.filter((name) => Object.hasOwn(dangerousPermissions, name));
  list('dangerous_permissions', dangerous, 100);
  for (const name of dangerous) draft.finding(rules.permissions, 'manifest', `${name}: ${dangerousPermissions[name]}`);
  if (short.includes('RECEIVE_BOOT_COMPLETED') && short.some((name) => name.endsWith('_SMS'))) {
    draft.finding(
      rules.messages,
      'manifest',
      short.filter((name) => name.includes('SMS') || name.includes('BOOT')).join(' '),
    );
  }
  const components = (application?.children ?? [])
    .filter(({ name }) => componentNames.has(name))
    .slice(0, 5000)
    .map(readComponent);
  list(
    'components',
    components.map((one): Json => ({ ...one })),
    100,
  );
  const main = components.find(({ actions }) => actions.includes('android.intent.action.MAIN'));
  if (main !== undefined) draft.fact('main_activity', main.name);
  for (const component of components) {
    const where = `${component.type} ${component.name}`;
    if (component.permission !== undefined && powerful.test(component.permission))
      draft.finding(rules.accessibility, where, component.permission);
    const reachable = component.exported && component.permission === undefined && component !== main;
    if (reachable) draft.finding(rules.exported, where, component.actions.join(' '));
  }
  if (attribute(application, 'debuggable') === 'true') draft.finding(rules.debuggable, 'application', 'debuggable');
  if (attribute(application, 'usesCleartextTraffic') === 'true')
    draft.finding(rules.cleartext, 'application', 'usesCleartextTraffic');
}
