import { posix } from 'node:path';
import type { Finding } from '../../../../base/finding-schema.ts';
import { asArray, asObject, asString, isObject } from '../../../../base/json-shape.ts';
import type { Inspected } from '../contract.ts';
import { readJson, readText } from '../read-file.ts';
import { excerpt, makeFinding } from '../rule.ts';
import { packageRules } from './rules.ts';

/** What an install would run. It is read, followed one file deep, and never run. */

export interface Hook {
  readonly path: string;
  readonly name: string;
  readonly command: string;
  /** Files of the package that the command starts. */
  readonly starts: readonly string[];
}

/** npm runs these for whoever installs from the registry; `prepare` only for those who install from git or a folder. */
const installScripts = ['preinstall', 'install', 'postinstall'] as const;

function startedFiles(command: string, folder: string, files: ReadonlySet<string>): readonly string[] {
  const words = command.match(/[\w@./-]+/g) ?? [];
  const candidates = words.flatMap((word) =>
    ['', '.js', '.cjs', '.mjs', '/index.js'].map((end) => posix.normalize(posix.join(folder, word + end))),
  );
  return [...new Set(candidates)].filter((path) => files.has(path) && /\.(?:[cm]?js|ts|sh|py|ps1|bat|cmd)$/.test(path));
}

function npmHooks(inspected: Inspected): readonly Hook[] {
  const files = new Set(inspected.files);
  const manifests = inspected.files
    .filter((path) => posix.basename(path) === 'package.json' && !/(?:^|\/)node_modules\//.test(path))
    .slice(0, 50);
  return manifests.flatMap((path) => {
    const document = asObject(readJson(inspected, path));
    const scripts = asObject(document.scripts);
    const folder = posix.dirname(path);
    // Only what stands at the top is installed; a package.json below may say what it wants.
    if (folder !== '.') return [];
    const stated = installScripts.flatMap((name): readonly Hook[] => {
      const command = asString(scripts[name]);
      return command === undefined || command.trim() === ''
        ? []
        : [{ path, name, command, starts: startedFiles(command, folder, files) }];
    });
    const isImplied =
      files.has('binding.gyp') && document.gypfile !== false && !stated.some(({ name }) => name !== 'postinstall');
    return isImplied
      ? [...stated, { path: 'binding.gyp', name: 'install', command: 'node-gyp rebuild', starts: [] }]
      : stated;
  });
}

const pythonRuns = /\b(?:cmdclass|subprocess|os\.system|os\.popen|exec\(|eval\(|urlopen|requests\.|socket\.)/;

function pythonHooks({ root, files }: Inspected): readonly Hook[] {
  const hooks: Hook[] = [];
  for (const path of files) {
    const name = posix.basename(path);
    const isSetup = path === 'setup.py';
    if (!isSetup && !name.endsWith('.pth')) continue;
    const read = readText(root, path, 1024 * 1024);
    if ('problem' in read) continue;
    const line = read.text.split('\n').find((text) => (isSetup ? pythonRuns.test(text) : /^\s*import[ \t]/.test(text)));
    if (line !== undefined)
      hooks.push({ path, name: isSetup ? 'build' : 'start of Python', command: line.trim(), starts: [path] });
  }
  return hooks;
}

/** A build backend that lies in the package itself runs on install. */
function backendHooks({ root, files }: Inspected): readonly Hook[] {
  if (!files.includes('pyproject.toml')) return [];
  const read = readText(root, 'pyproject.toml', 1024 * 1024);
  const match = 'problem' in read ? null : /^\s*backend-path\s*=\s*(.{1,200})$/m.exec(read.text);
  return match === null
    ? []
    : [{ path: 'pyproject.toml', name: 'build', command: `backend-path = ${match[1]}`, starts: [] }];
}

export function findHooks(inspected: Inspected): readonly Hook[] {
  return [...npmHooks(inspected), ...pythonHooks(inspected), ...backendHooks(inspected)];
}

const network =
  /\b(?:curl|wget|Invoke-WebRequest|iwr|fetch\(|https?\.(?:get|request)|axios|node-fetch|undici|urlopen|requests\.(?:get|post)|dns\.(?:lookup|resolve)|net\.(?:connect|createConnection))/i;
const execution =
  /\b(?:child_process|execSync|spawn|exec\(|eval\(|new Function|vm\.run|os\.system|subprocess|chmod\s*\(?|chmodSync|\bsh\b|bash|powershell)/i;
const secrets =
  /\.ssh\b|id_rsa|\.npmrc|\.aws\b|\.env\b|\.git-credentials|\.netrc|process\.env\b(?!\.(?:npm_|CI\b|NODE_ENV|INIT_CWD|HOME\b|PATH\b))|os\.environ|wallet|keychain|\.claude|mcp\.json/i;
const decoded = /Buffer\.from\([^)]{0,200}['"]base64['"]\)|\batob\(|b64decode|base64\s+(?:-d|--decode)|fromCharCode/i;

const dangers: readonly { readonly what: string; readonly all: readonly RegExp[] }[] = [
  { what: 'fetches something and runs a program', all: [network, execution] },
  { what: 'reads secrets and talks to the network', all: [secrets, network] },
  { what: 'runs decoded text', all: [decoded, execution] },
];

/** Builders of native addons download prebuilt files and run compilers: known, and told as a plain hook. */
const knownBuilders =
  /^(?:node-gyp|node-gyp-build|prebuild-install|node-pre-gyp|cmake-js|patch-package|husky|opencollective|tsc)\b/;

export function inspectHooks(inspected: Inspected): {
  readonly findings: readonly Finding[];
  readonly hooks: readonly Hook[];
} {
  const hooks = findHooks(inspected);
  const findings = hooks.map((hook) => {
    const texts = [hook.command, ...hook.starts.map((path) => textOf(inspected, path))];
    const isKnown = knownBuilders.test(hook.command.trim());
    const danger = isKnown
      ? undefined
      : dangers.find(({ all }) => texts.some((text) => all.every((pattern) => pattern.test(text))));
    const rule = danger === undefined ? packageRules.hook : packageRules.dangerousHook;
    return makeFinding(rule, {
      identity: [hook.path, hook.name],
      title:
        danger === undefined
          ? `On ${hook.name} it would run: ${hook.command}`
          : `On ${hook.name} it ${danger.what}: ${hook.command}`,
      ...(danger === undefined && isKnown ? { severity: 'info' as const } : {}),
      locations: [hook.path, ...hook.starts.filter((path) => path !== hook.path)].map((path) => ({ path })),
      evidence: [{ kind: 'package', ref: hook.path, excerpt: excerpt(hook.command) }],
    });
  });
  return { findings, hooks };
}

function textOf({ root }: Inspected, path: string): string {
  const read = readText(root, path, 1024 * 1024);
  return 'problem' in read ? '' : read.text;
}

/** Names of commands that an install would put on the path. */
export function commandsOf(inspected: Inspected): readonly { readonly name: string; readonly path: string }[] {
  const document = asObject(readJson(inspected, 'package.json'));
  const own = asString(document.name)?.split('/').pop();
  const { bin } = document;
  const names =
    typeof bin === 'string'
      ? own === undefined
        ? []
        : [own]
      : isObject(bin)
        ? Object.keys(bin)
        : asArray(bin).flatMap((item) => asString(item) ?? []);
  const python = inspected.files.includes('pyproject.toml') ? textOf(inspected, 'pyproject.toml') : '';
  const section =
    /^\[(?:project\.scripts|tool\.poetry\.scripts)\]\s*$([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(python)?.[1] ?? '';
  const scripts = [...section.matchAll(/^\s*["']?([\w.-]+)["']?\s*=/gm)].map(([, name = '']) => name);
  return [
    ...names.map((name) => ({ name, path: 'package.json' })),
    ...scripts.map((name) => ({ name, path: 'pyproject.toml' })),
  ];
}
