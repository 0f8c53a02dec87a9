import { detectorRules } from '../../../evidence/detectors/index.ts';
import type { RuleText } from '../../../evidence/rule-text.ts';
import { protocolRules } from './protocol-rules.ts';
import { annotationRule } from './tool-behaviour.ts';
import { abilityRules, weaknessRules } from './weakness-rules.ts';

/** The public face of judging: from what was seen in a run to findings. */
export type {
  ChainFacts,
  CrashedCall,
  HonestAnswer,
  MessageFaults,
  ProtocolRecord,
  ProvenCall,
  Shown,
  TrialFindings,
} from './contract.ts';
export { type DeclaredSources, declaredHosts } from './declared-hosts.ts';
export { eventDetail, eventTitle } from './event-words.ts';
export { gatherMessageFaults } from './message-faults.ts';
export { type Promoted, promote, type Suspicion, suspicionOf } from './promote.ts';
export { protocolFindings } from './protocol-findings.ts';
export { type ToolBehaviour, type ToolPlaces, type ToolUse, toolBehaviour } from './tool-behaviour.ts';
export { trialFindings } from './trial-findings.ts';

/** Every rule about behaviour, for the catalogue. */
export const behaviourRules: readonly RuleText[] = [
  ...detectorRules,
  annotationRule,
  ...Object.values(protocolRules),
  ...weaknessRules.values(),
  ...abilityRules.values(),
];
