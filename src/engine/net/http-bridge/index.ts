/** The bridge that holds every request of a program in a box against a judge. */
export { httpBridge } from './bridge.ts';
export { canonicalPaths, liesBelow, noPath } from './canonical-paths.ts';
export {
  type BridgeCaps,
  type BridgedRequest,
  defaultBridgeCaps,
  type HttpBridgeOptions,
  type InjectedHeader,
  type RequestAuthority,
  type RequestOutcome,
} from './contract.ts';
