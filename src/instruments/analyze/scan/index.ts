/** The public face of scanning. */
export type { ScanContext, Scanned } from './contract.ts';
export { describeDatabase, importDatabase, updateDatabase } from './database.ts';
export { type Plan, type PlanContext, type PlannedTarget, planScan } from './plan.ts';
export { ruleCatalogue } from './rule-catalogue.ts';
export { type ScannedTarget, scan, scanFiles, scanFolders, targetOf } from './scan.ts';
export { advisorySources, osvFolder } from './sources.ts';
