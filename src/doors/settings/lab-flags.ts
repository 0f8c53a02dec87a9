/** Names of the flags that a lab is set up with, and of the variables that stand for them. */

export const labFlagNames = [
  'mode',
  'container',
  'containerUser',
  'host',
  'user',
  'port',
  'password',
  'identity',
  'knownHosts',
  'acceptNew',
  'samplesDir',
  'outputDir',
  'timeout',
  'sandbox',
  'allowShell',
  'ingestRoot',
  'rules',
  'allowHost',
] as const;
export type LabFlagName = (typeof labFlagNames)[number];

/** A flag that takes no value is true; one that may be repeated is a list. */
export type LabFlags = Partial<Record<LabFlagName, string | boolean | readonly string[] | undefined>>;

/** samplesDir -> HOTCELL_LAB_SAMPLES_DIR */
export function labVariable(name: LabFlagName): string {
  return `HOTCELL_LAB_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** samplesDir -> --samples-dir */
export function labFlag(name: LabFlagName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Opens an encrypted key. It has no flag: others on the machine can read command lines. */
export const passphraseVariable = 'HOTCELL_SSH_PASSPHRASE';

export const labVariables: ReadonlySet<string> = new Set([...labFlagNames.map(labVariable), passphraseVariable]);

/** The flags again, for a file of settings. A password stays out of it: the variable brings it. */
export function repeatLabFlags(flags: LabFlags): readonly string[] {
  return labFlagNames.flatMap((name) => {
    const value = flags[name];
    if (value === undefined || value === false || name === 'password') return [];
    if (value === true) return [labFlag(name)];
    return typeof value === 'string' ? [labFlag(name), value] : value.flatMap((each) => [labFlag(name), each]);
  });
}
