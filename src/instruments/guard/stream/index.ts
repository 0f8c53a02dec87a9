export type { DirectionCounts, GateOptions, HitOutcome, RelayEnd, RelayOptions, RelaySide } from './contract.ts';
export { type FaultId, faults, refusedCode } from './faults.ts';
export { MessageGate, type Passage } from './gate.ts';
export { defaultRelayLimits, type RelayLimits } from './limits.ts';
export { type Line, LineReader } from './line-reader.ts';
export { refusalText } from './refusal.ts';
export { MessageRelay } from './relay.ts';
