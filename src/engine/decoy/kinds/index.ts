import type { DecoyKind } from '../decoy.ts';
import { agents } from './agents.ts';
import { aws } from './aws.ts';
import { browser } from './browser.ts';
import { clouds } from './clouds.ts';
import { containers } from './containers.ts';
import { git } from './git.ts';
import { history } from './history.ts';
import { packages } from './packages.ts';
import { projects } from './projects.ts';
import { ssh } from './ssh.ts';
import { variables } from './variables.ts';
import { vault } from './vault.ts';
import { wallets } from './wallets.ts';

/** Everything a home is furnished with: a new kind is a file and a line here. */
export const decoyKinds: readonly DecoyKind[] = [
  agents,
  aws,
  browser,
  clouds,
  containers,
  git,
  history,
  packages,
  projects,
  ssh,
  variables,
  vault,
  wallets,
];
