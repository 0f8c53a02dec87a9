/** The public face of the network of a box. */
export { addressBytes, canonicalAddress } from './addresses.ts';
export { Capture, type CaptureEnd, type CaptureOptions } from './capture/capture.ts';
export { type Authority, createAuthority } from './certificates/authority.ts';
export {
  type Artefact,
  type Caps,
  type DnsRecordSeed,
  defaultCaps,
  type MetadataBait,
  type Registry,
  type ScriptedAnswer,
} from './config.ts';
export type { EgressAttempts } from './egress/attempts.ts';
export { type Bridged, type BridgeEnds, bridgeRefusal, type GateBridge } from './egress/bridge.ts';
export type { ConnectAddress } from './egress/connect-address.ts';
export { decideEgress, type EgressDecision, type Refusal } from './egress/decide.ts';
export type { DecideEgress } from './egress/find-way.ts';
export { EgressGate, type EgressGateOptions } from './egress/gate.ts';
export { defaultEgressLimits, type EgressLimits } from './egress/limits.ts';
export { hostResolver, type ResolveHost } from './egress/resolve-host.ts';
export { type EgressMode, egressModes } from './egress/rules-in-force.ts';
export { isWithinRange, specialKind, specialRanges } from './egress/special-address.ts';
export { type AskedAddress, type KeptBytes, type NetEvent, type NetEventKind, netEventKinds } from './event.ts';
export { FakeInternet, type FakeInternetOptions, type WireCompleteness } from './fake-internet.ts';
export { type BridgedRequest, httpBridge } from './http-bridge/index.ts';
export { boxAddress, boxLink, namespacePrefix, routerAddress, routerLink } from './layout.ts';
export { datagramListeners, streamListeners } from './listeners.ts';
export {
  cleanNetworks,
  findLeftoverNamespaces,
  NetworkNamespaces,
  namespaceNames,
  removeNamespaces,
} from './namespace.ts';
export { resolverFile, type Trust, type TrustFile, type TrustOptions, trustFiles } from './trust.ts';
