import type { World } from '../interrogate/arguments/index.ts';

/** Values for honest calls to a server whose world is not ours: nothing in it exists, and nothing in it is asked for. */
export const remoteWorld: World = {
  root: '/workspace',
  files: { text: '/workspace/notes.txt', nested: '/workspace/docs/readme.md' },
  folder: '/workspace/docs',
  outsideFile: '/workspace-private/ledger.txt',
  outsideCanary: '',
  outsideFolder: '/workspace-private',
  outsideEntry: '',
  temporary: '/tmp',
  url: 'https://example.com/',
  domain: 'example.com',
  variables: {},
};
