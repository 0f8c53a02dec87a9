import { asObject, asString, entriesOf, type JsonObject } from '../../base/json-shape.ts';
import type { InstallStep } from './contract.ts';

/** Install scripts, run as npm runs them: with a shell, in the package's folder, with the programs of the tree first. */

const packageScripts = ['preinstall', 'install', 'postinstall'] as const;
/** What npm runs besides for the project that it is called in. */
const projectScripts = ['prepublish', 'preprepare', 'prepare', 'postprepare'] as const;

/** Native parts are built to be looked at once: a fast compiler is worth more than fast code. */
const quickBuild = { CFLAGS: '-O0 -w', CXXFLAGS: '-O0 -w', MAKEFLAGS: '-j2' } as const;

export interface ScriptHolder {
  /** In the box. */
  readonly folder: string;
  readonly manifest: JsonObject;
  readonly hasBindings: boolean;
  readonly isProject: boolean;
}

/** In the order in which they run. */
export function scriptsOf({ manifest, hasBindings, isProject }: ScriptHolder): readonly (readonly [string, string])[] {
  const scripts = asObject(manifest.scripts);
  const names = [...packageScripts, ...(isProject ? projectScripts : [])];
  const told = names.flatMap((name): (readonly [string, string])[] => {
    const command = Object.hasOwn(scripts, name) ? asString(scripts[name]) : undefined;
    return command === undefined || command.trim() === '' ? [] : [[name, command]];
  });
  const builds = hasBindings && manifest.gypfile !== false;
  const hasOwn = told.some(([name]) => name === 'install' || name === 'preinstall');
  return builds && !hasOwn ? [['install', 'node-gyp rebuild'], ...told] : told;
}

/** Folders of programs from the package upwards, as npm puts them before the others. */
function searchFolders(folder: string): readonly string[] {
  const parts = folder.split('/');
  return parts.map((_, at) => `${parts.slice(0, parts.length - at).join('/')}/node_modules/.bin`);
}

export function scriptSteps(
  holder: ScriptHolder,
  { timeoutMs, searchPath }: { readonly timeoutMs: number; readonly searchPath: string },
): readonly InstallStep[] {
  const { folder, manifest } = holder;
  const name = asString(manifest.name) ?? '';
  const path = [...searchFolders(folder).filter((each) => each.startsWith('{home}/')), searchPath].join(':');
  return scriptsOf(holder).map(([event, command]) => {
    const variables: Readonly<Record<string, string>> = {
      PATH: path,
      INIT_CWD: '{home}/app',
      npm_lifecycle_event: event,
      npm_lifecycle_script: command,
      npm_command: 'install',
      npm_package_name: name,
      npm_package_version: asString(manifest.version) ?? '',
      npm_package_json: `${folder}/package.json`,
      npm_node_execpath: '/usr/bin/node',
      npm_config_user_agent: 'npm/11.0.0 node/v22.0.0 linux x64 workspaces/false',
      npm_config_nodedir: '/usr',
      ...(holder.hasBindings ? quickBuild : {}),
    };
    const settings = entriesOf(variables).map(([variable, value]) => `${variable}=${String(value)}`);
    return {
      what: `${name} ${event}`,
      argv: ['/usr/bin/env', ...settings, '/bin/sh', '-c', command],
      cwd: folder,
      timeoutMs,
    };
  });
}
