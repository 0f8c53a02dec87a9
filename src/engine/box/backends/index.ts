import type { BoxBackend } from '../contract.ts';
import { bwrap } from './bwrap.ts';
import { docker } from './docker.ts';
import { gvisor } from './gvisor.ts';
import { landlock } from './landlock.ts';
import { runc } from './runc.ts';

/** Every way to make a box, the strongest first. */
export const backends: readonly BoxBackend[] = [gvisor, runc, bwrap, docker, landlock];
