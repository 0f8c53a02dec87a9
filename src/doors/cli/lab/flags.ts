import { z } from 'zod';
import type { LabFlags } from '../../settings/index.ts';
import type { OptionDefinition } from '../definition.ts';

/** The flags of a lab, for every command that opens one. */

export const labFlagDefinitions: readonly OptionDefinition[] = [
  { flags: '--mode <mode>', description: 'where samples and tools are: local, docker or ssh; default local' },
  { flags: '--container <name>', description: 'the container, for docker; default remnux' },
  { flags: '--container-user <user>', description: 'as whom commands run in it; default: as its image says' },
  { flags: '--host <host>', description: 'the machine, for ssh' },
  { flags: '--user <user>', description: 'as whom, for ssh; default remnux' },
  { flags: '--port <number>', description: 'its port, for ssh; default 22' },
  {
    flags: '--password <password>',
    description: 'for ssh, where no agent and no key is used; better set HOTCELL_LAB_PASSWORD',
  },
  { flags: '--identity <file>', description: 'a key for ssh; HOTCELL_SSH_PASSPHRASE opens it where it is encrypted' },
  { flags: '--known-hosts <file>', description: 'keys of machines that are known; default ~/.ssh/known_hosts' },
  { flags: '--accept-new', description: 'note the key of a machine that is not known yet; a changed one is refused' },
  {
    flags: '--samples-dir <folder>',
    description: 'folder of the samples there; default as on REMnux, or in the home of Hotcell',
  },
  { flags: '--output-dir <folder>', description: 'folder for what comes out; the same' },
  { flags: '--timeout <seconds>', description: 'for one command; default 300' },
  {
    flags: '--sandbox [how]',
    description:
      'box (default): tools of this machine run in boxes; on, or without a word: and only files of the two folders are taken; off: tools run plainly, for a machine that is thrown away',
  },
  { flags: '--no-sandbox', description: 'the same as --sandbox off' },
  { flags: '--allow-shell', description: 'lines for a shell in local mode too' },
  { flags: '--ingest-root <folder>', description: 'only files below it are taken from this machine' },
  { flags: '--rules <folder>', description: 'further YARA rules', isRepeatable: true },
  {
    flags: '--allow-host <host>',
    description: 'samples may be fetched from it although its address is private',
    isRepeatable: true,
  },
];

export const labFlagShape = {
  mode: z.string().optional(),
  container: z.string().optional(),
  containerUser: z.string().optional(),
  host: z.string().optional(),
  user: z.string().optional(),
  port: z.string().optional(),
  password: z.string().optional(),
  identity: z.string().optional(),
  knownHosts: z.string().optional(),
  acceptNew: z.boolean().optional(),
  samplesDir: z.string().optional(),
  outputDir: z.string().optional(),
  timeout: z.string().optional(),
  sandbox: z.union([z.string(), z.boolean()]).optional(),
  allowShell: z.boolean().optional(),
  ingestRoot: z.string().optional(),
  rules: z.array(z.string()).optional(),
  allowHost: z.array(z.string()).optional(),
};

export const labFlagSchema = z.object(labFlagShape);

/** Others on this machine can read command lines: one that holds a password is replaced as soon as it was read. */
export function hidePassword({ password }: LabFlags): void {
  if (typeof password === 'string') process.title = 'hotcell lab';
}

/** `--no-sandbox` stands as `sandbox: false`. */
export function toLabFlags(given: z.output<typeof labFlagSchema>): LabFlags {
  const { sandbox, ...rest } = given;
  return { ...rest, ...(sandbox === undefined ? {} : { sandbox: sandbox === false ? 'off' : sandbox }) };
}
