import type { World } from './world.ts';

/** A world for tests, with everything in it. */
export const sampleWorld: World = {
  root: '/planted/root',
  files: {
    text: '/planted/root/notes.txt',
    nested: '/planted/root/folder/nested.md',
    jar: '/planted/root/library.jar',
    pdf: '/planted/root/paper.pdf',
  },
  folder: '/planted/root/folder',
  outsideFile: '/planted/elsewhere/report.txt',
  outsideCanary: 'cnryOutside7f3k9qz2',
  outsideFolder: '/planted/elsewhere',
  outsideEntry: 'cnryEntry5m8x1vw4',
  sibling: { path: '/planted/root_outside/report.txt', canary: 'cnrySibling2b6n0ys8' },
  link: { path: '/planted/root/link.txt', target: '/planted/behind/report.txt', canary: 'cnryLinked9d4h7pu1' },
  temporary: '/planted/trials',
  url: 'http://pages.example.net/notes.html',
  domain: 'example.net',
  loopback: { port: 18070, canary: 'cnryLoop3g5j8ra6' },
  redirect: { url: 'http://pages.example.net/redirect', port: 18070 },
  rebindingHost: 'inner.example.net',
  large: {
    declared: 'http://large.example.net/declared',
    undeclared: 'http://large.example.net/undeclared',
    canary: 'cnryLarge8k2v5nd3',
  },
  database: '/planted/root/data.db',
  databaseCanary: 'cnryRow6t1w4ec9',
  table: 'users',
  git: '/planted/root/repository',
  programs: ['sh', 'git', 'python3', 'node'],
  variables: {},
};
