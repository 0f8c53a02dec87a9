/** The public face of starting a server in a box. */
export type { FailedStart, Launch, LaunchFacts, Prop } from './contract.ts';
export { diagnose } from './diagnose.ts';
export { nextLaunch } from './next-launch.ts';
export { planLaunch } from './plan-launch.ts';
export { possibleVariables } from './possible-variables.ts';
