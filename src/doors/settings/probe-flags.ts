/** Names of the flags that probe is set up with, and of the variables that stand for them. */

export const probeFlagNames = ['scope', 'networkLayer'] as const;
export type ProbeFlagName = (typeof probeFlagNames)[number];
export type ProbeFlags = Partial<Record<ProbeFlagName, string | undefined>>;

/** networkLayer -> HOTCELL_PROBE_NETWORK_LAYER */
export function probeVariable(name: ProbeFlagName): string {
  return `HOTCELL_PROBE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

export const probeVariables: ReadonlySet<string> = new Set(probeFlagNames.map(probeVariable));

/** The flags again, for a file of settings. */
export function repeatProbeFlags({ scope, networkLayer }: ProbeFlags): readonly string[] {
  return [
    ...(scope === undefined ? [] : ['--scope', scope]),
    ...(networkLayer === undefined ? [] : ['--network-layer', networkLayer]),
  ];
}
