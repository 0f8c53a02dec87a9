import type { LockReader } from '../reader.ts';
import { bunLock } from './bun-lock.ts';
import { npmLock } from './npm-lock.ts';
import { packageJson } from './package-json.ts';
import { pnpmLock } from './pnpm-lock.ts';
import { pyproject } from './pyproject.ts';
import { pipfileLock, poetryLock, uvLock } from './python-locks.ts';
import { requirements } from './requirements.ts';
import { yarnLock } from './yarn-lock.ts';

/** Every lock file format: a new one is a file and a line here. */
export const lockReaders: readonly LockReader[] = [
  npmLock,
  pnpmLock,
  yarnLock,
  bunLock,
  packageJson,
  uvLock,
  poetryLock,
  pipfileLock,
  requirements,
  pyproject,
];
