/** The public face of several servers as one. */
export type {
  Gateway,
  GatewayConfig,
  GatewayEntry,
  GatewayOptions,
  GatewayServer,
  OpenServer,
  PortStreams,
  ServerCounts,
  ServerState,
} from './contract.ts';
export { type GatewayLimits, gatewayLimits } from './limits.ts';
export { openGateway } from './open-gateway.ts';
export { readGatewayConfig } from './read-config.ts';
