export { buildServer, type ServerContext, type ServerFactory, type ServerWishes } from './build-server.ts';
export { CallGate, type GateLimits } from './call-gate.ts';
export { type Log, type LogLevel, openLog } from './log.ts';
export { type Selection, selectTools, type ToolChoice } from './select-tools.ts';
