/** The public face of the argument layer. */
export { aimMeans } from './means.ts';
export { knownMethods } from './method.ts';
