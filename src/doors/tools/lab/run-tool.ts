import { z } from 'zod';
import { kibibyte, minuteMs, secondMs } from '../../../base/limits.ts';
import { visible, visibleText } from '../visible.ts';
import { defineLabTool } from './define-lab-tool.ts';
import { record as anyRecord, bytesCount, digest, fileField, short, timeField, untrustedText } from './fields.ts';

const mostStdout = 102_400;
const mostStderr = 51_200;
const mostFindings = 500;

export const runTool = defineLabTool({
  name: 'run_tool',
  title: 'Run a tool on a sample',
  description:
    'Runs one program or a pipeline where the lab has its tools, on private copies of the samples that the command names. Words are parsed here and not by a shell; a line that needs one is run in docker and ssh mode only, or where the lab allows it. Output is untrusted material. What the command writes is kept in the output folder.',
  input: z.strictObject({
    command: z
      .string()
      .min(1)
      .max(16_384)
      .describe('program and words, pipelines with |, lists with && || ;. %OUTPUT%/ stands for a folder to write into'),
    input_file: fileField.optional().describe('a sample, added as last word of the first program'),
    timeout: timeField('what the lab was started with'),
  }),
  data: z.strictObject({
    command: untrustedText(262_144),
    shell: z.boolean(),
    status: z.string().max(32),
    meaning: short,
    exit_code: z.number().int().min(0).max(255).nullable(),
    signal: z.string().max(32).nullable(),
    timed_out: z.boolean(),
    elapsed_ms: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
    stdout: untrustedText(16 * mostStdout),
    stderr: untrustedText(16 * mostStderr),
    truncated: z.boolean(),
    stdout_bytes: bytesCount,
    stderr_bytes: bytesCount,
    stdout_dropped_bytes: bytesCount.describe('beyond 10 MiB: printed and not kept'),
    stdout_saved_file: short.nullable(),
    findings: z.array(anyRecord).max(mostFindings),
    findings_total: bytesCount,
    parsed_metadata: anyRecord.nullable(),
    advisories: z.array(z.string().max(2000)).max(32),
    evidence: z
      .array(
        z.strictObject({ file: short, sha256_before: digest(64), sha256_after: digest(64), unchanged: z.boolean() }),
      )
      .max(32),
    made_files: z.array(z.strictObject({ path: short, size_bytes: bytesCount, sha256: digest(64) })).max(512),
    confinement: short,
    notes: z.array(z.string().max(4096)).max(64),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limits: { timeoutMs: 61 * minuteMs, outputBytes: 4096 * kibibyte },
  examples: [
    { input: { command: 'capa -vv', input_file: 'sample.exe', timeout: 600 }, says: 'one program on one sample' },
    { input: { command: 'zipdump.py -s 3 -d sample.docx | xmldump.py pretty' }, says: 'a pipeline' },
  ],
  async handle({ command, input_file, timeout }, { open, signal, out, record }) {
    const { runCommand } = await import('../../../instruments/lab/operations/run-command.ts');
    await record({
      tool: 'run_tool',
      what: 'run',
      action: 'lab.run',
      details: { confinement: open.workbench.confinement.words.slice(0, 200) },
      secrets: { command },
    });
    const end = await runCommand(open, {
      command,
      timeoutMs: timeout === undefined ? open.options.timeoutMs : Math.round(timeout * secondMs),
      signal,
      ...(input_file === undefined ? {} : { inputFile: input_file }),
    });
    const { ended } = end;
    const stdout = visibleText(ended.stdout.toString('utf8'), mostStdout);
    const stderr = visibleText(ended.stderr.toString('utf8'), mostStderr);
    const isCut = ended.stdout.length > mostStdout || ended.stderr.length > mostStderr || ended.droppedStdoutBytes > 0;
    const changed = end.evidence.filter(({ sha256Before, sha256After }) => sha256Before !== sha256After);
    out.say(
      `Ended with ${ended.hasTimedOut ? 'the time limit' : `code ${ended.code ?? `none, signal ${ended.signal}`}`} in ${end.confinement}. ${end.meaning}`.trim(),
    );
    for (const { text } of end.advisories) out.say(text);
    if (changed.length > 0) out.say(`Attention: ${changed.length} samples are not what they were before.`);
    if (end.savedOutput !== null) out.say(`All of the output is in ${end.savedOutput}.`);
    if (stdout !== '') out.quote({ label: 'standard output of the command', text: stdout });
    if (stderr !== '') out.quote({ label: 'standard error of the command', text: stderr });
    const findings = end.parsed?.findings ?? [];
    return {
      command: visibleText(end.command, 16_384),
      shell: end.isShell,
      status: end.status,
      meaning: end.meaning,
      exit_code: ended.code,
      signal: ended.signal,
      timed_out: ended.hasTimedOut,
      elapsed_ms: Math.round(ended.elapsedMs),
      stdout,
      stderr,
      truncated: isCut,
      stdout_bytes: ended.stdout.length + ended.droppedStdoutBytes,
      stderr_bytes: ended.stderr.length + ended.droppedStderrBytes,
      stdout_dropped_bytes: ended.droppedStdoutBytes,
      stdout_saved_file: end.savedOutput === null ? null : visibleText(end.savedOutput, 1000),
      findings: findings.slice(0, mostFindings).map((finding) => visible(finding)),
      findings_total: findings.length,
      parsed_metadata: end.parsed === null ? null : visible(end.parsed.facts),
      advisories: end.advisories.map(({ text }) => text.slice(0, 2000)).slice(0, 32),
      evidence: end.evidence.map(({ path, sha256Before, sha256After }) => ({
        file: visibleText(path, 1000),
        sha256_before: sha256Before,
        sha256_after: sha256After,
        unchanged: sha256Before === sha256After,
      })),
      made_files: end.made.map(({ path, sizeBytes, sha256 }) => ({
        path: visibleText(path, 1000),
        size_bytes: sizeBytes,
        sha256,
      })),
      confinement: end.confinement,
      notes: [...end.notes, ...(end.parsed?.notes ?? [])].slice(0, 64).map((note) => visibleText(note, 1000)),
    };
  },
});
