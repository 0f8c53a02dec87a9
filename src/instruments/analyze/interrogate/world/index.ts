/** The public face of the world inside a box. */
export { type AdaptedTool, type AdaptedWorld, adaptWorld, type Seen } from './adapt.ts';
export type { Use } from './learn.ts';
export { planWorld, type WorldPlan } from './plan.ts';
export { type PlantedWorld, plantWorld } from './plant.ts';
export { type RaisedProps, raiseProps } from './props/raise.ts';
export { restoreWorld } from './restore.ts';
