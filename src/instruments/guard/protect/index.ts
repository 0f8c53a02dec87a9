/** The public face of putting the servers of MCP clients behind the guard. */
export { type Applied, applyPlan } from './apply.ts';
export type { FilePlan, ProtectOptions, Rewritten, ServerChange, ServerReport, WrapOptions } from './contract.ts';
export { type Backup, Backups } from './files/backups.ts';
export { isGuardProgram } from './guard-words.ts';
export { type PlannedFile, planProtect, planUndo, type UndoOptions } from './plan.ts';
export { unwrapText, wrapText } from './rewrite.ts';
