/** Names of tools that say what somebody could do with them. */

const words: readonly { readonly what: string; readonly parts: ReadonlySet<string> }[] = [
  {
    what: 'runs programs',
    parts: new Set([
      'exec',
      'execute',
      'shell',
      'bash',
      'cmd',
      'command',
      'terminal',
      'powershell',
      'spawn',
      'eval',
      'python',
      'subprocess',
      'ssh',
    ]),
  },
  {
    what: 'reaches files',
    parts: new Set(['file', 'files', 'filesystem', 'directory', 'folder', 'path', 'upload', 'download']),
  },
  {
    what: 'reaches a database',
    parts: new Set(['sql', 'database', 'db', 'mongo', 'redis', 'postgres', 'mysql', 'sqlite']),
  },
  {
    what: 'handles secrets',
    parts: new Set(['secret', 'secrets', 'password', 'token', 'credential', 'credentials', 'env', 'vault']),
  },
  {
    what: 'fetches addresses',
    parts: new Set(['fetch', 'http', 'request', 'url', 'browse', 'browser', 'curl', 'proxy']),
  },
  { what: 'deletes or changes', parts: new Set(['delete', 'remove', 'drop', 'deploy', 'admin', 'kill', 'write']) },
];

/** `readFile`, `read_file`, `read-file` and `fs.readFile` are the same words. */
function partsOf(name: string): readonly string[] {
  return name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

export function tellingName(name: string): string | null {
  const parts = partsOf(name);
  return words.find((group) => parts.some((part) => group.parts.has(part)))?.what ?? null;
}
