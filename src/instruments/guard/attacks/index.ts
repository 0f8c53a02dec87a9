/** The public face of known attacks. */
export type {
  PolicyLine,
  Replay,
  ReplayOptions,
  ReplayPolicy,
  ReplayVerdict,
  RunReport,
  SeenStop,
  Stopped,
} from './contract.ts';
export { describeLine, findStop, policyLines } from './policy-lines.ts';
export { type Attack, attacks, findAttack } from './read-attacks.ts';
export { replayAttack } from './replay.ts';
