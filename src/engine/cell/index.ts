/** The public face of cells. */
export { Cell, type CellOptions } from './cell.ts';
export { type CellNetwork, type FakeOptions, openNetwork } from './network.ts';
export { type CompletenessReport, completenessJsonSchema, completenessReportSchema } from './report.ts';
