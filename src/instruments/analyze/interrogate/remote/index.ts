export { readRemoteHeaders, readRemoteUrl } from './address.ts';
export {
  callableTools,
  looksReadOnly,
  type RemoteConsent,
  type RemoteStep,
  type RemoteStepId,
  remoteSteps,
} from './consent.ts';
export { openRemote, type RemoteOptions, type RemoteServer } from './open-remote.ts';
