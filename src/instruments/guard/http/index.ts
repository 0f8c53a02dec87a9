/** Servers that speak HTTP inside a box, for clients that speak HTTP or stdio outside of it. */
export { type BridgeOptions, type HttpBridge, openHttpBridge } from './bridge.ts';
export type { FrontGate, HttpFront, HttpFrontOptions, ListenWishes } from './contract.ts';
export {
  type InnerOptions,
  type InnerServer,
  type InnerServerOptions,
  openInner,
  openInnerServer,
  type WaitOptions,
  waitUntilListening,
} from './inner.ts';
export { type FrontLimits, usualFrontLimits } from './limits.ts';
export { openHttpFront } from './open-front.ts';
