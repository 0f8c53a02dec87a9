import type { Event } from '../base/event-schema.ts';
import type { Finding } from '../base/finding-schema.ts';
import type { RuleText } from './rule-text.ts';

/** A detector turns events of a run into findings. It is one file, and one line in the list. */

/** What is known about the target besides its events. All paths are those of the box. */
export interface DetectorContext {
  readonly folders: { readonly home: string; readonly work: string; readonly tmp: string };
  /** Where the target and its dependencies lie. */
  readonly ownFolders: readonly string[];
  /** Hosts that its documentation, manifest, arguments or variables name, lower case; a name covers those below it. */
  readonly declaredHosts: readonly string[];
  /** Hosts that installing it has to talk to. */
  readonly registryHosts: readonly string[];
  /** Hosts that only our own calls named. */
  readonly trialHosts: readonly string[];
  /** Files and folders that our own calls name: reading them is what was asked for. */
  readonly givenPaths: readonly string[];
  /** How the target was started, so that its own process is not taken for a surprise. */
  readonly argv: readonly string[];
}

export interface OpenDetector {
  see(event: Event): void;
  findings(): readonly Finding[];
}

export interface Detector {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly RuleText[];
  open(context: DetectorContext): OpenDetector;
}
