import { z } from 'zod';
import { kibibyte, minuteMs } from '../../../base/limits.ts';
import { readVersion } from '../version.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { short } from './fields.ts';

export const getServerInfo = defineLabTool({
  name: 'get_server_info',
  title: 'Where this lab works',
  description:
    'Tells the version, where samples and tools are, what holds the tools, and whether that place can be reached.',
  input: z.strictObject({}),
  data: z.strictObject({
    server_version: z.string().max(64),
    connector_mode: z.enum(['local', 'docker', 'ssh']),
    place: short,
    confinement: short,
    samples_folder: short,
    output_folder: short,
    shell_allowed: z.boolean(),
    reachable: z.boolean(),
    problem: short.nullable(),
    remnux_version: z.string().max(256).nullable(),
  }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { timeoutMs: 2 * minuteMs, outputBytes: 64 * kibibyte },
  examples: [{ input: {}, says: 'where everything is' }],
  async handle(_input, { open, out, signal }) {
    const { askPlace } = await import('../../../instruments/lab/operations/ask-place.ts');
    const { problem, remnuxVersion } = await askPlace(open, signal);
    const { options, connector, workbench } = open;
    out.say(
      `${connector.place}; tools run in ${workbench.confinement.words}.${problem === null ? '' : ` It cannot be reached: ${problem}`}`,
    );
    return {
      server_version: await readVersion(),
      connector_mode: options.mode,
      place: connector.place,
      confinement: workbench.confinement.words,
      samples_folder: options.samplesFolder,
      output_folder: options.outputFolder,
      shell_allowed: options.mode !== 'local' || options.isShellAllowed,
      reachable: problem === null,
      problem,
      remnux_version: remnuxVersion,
    };
  },
});
