import type { LabFinding } from '../../contract.ts';
import { evidenceOf, linesOf, listed, nothingParsed, type ParsedOutput, type ToolParser } from './contract.ts';

/** ` A3: M    1234     900+334 'VBA/ThisDocument'`: M macros, m only attributes, O an object, E an error, ! odd. */
const row = /^ {0,4}([A-Z]?\d{1,5}): ([A-Za-z!. ]) +(\d{1,12})(?: +(\d{1,12})\+(\d{1,12}))? +(.{1,400})$/;

function unquote(name: string): string {
  return /^(['"]).*\1$/.test(name) ? name.slice(1, -1) : name;
}

function parse(text: string): ParsedOutput {
  const streams = linesOf(text, 20_000).flatMap((line) => {
    const [, index, mark, size, compiled, source, name] = row.exec(line) ?? [];
    if (index === undefined || name === undefined) return [];
    return [
      {
        index,
        mark: (mark ?? '').trim(),
        size: Number(size),
        compiled_size: compiled === undefined ? null : Number(compiled),
        source_size: source === undefined ? null : Number(source),
        name: unquote(name.trim()),
      },
    ];
  });
  if (streams.length === 0) return { ...nothingParsed, notes: ['oledump: no streams were found in the output.'] };
  const macros = streams.filter(({ mark }) => mark === 'M');
  const objects = streams.filter(({ mark }) => mark === 'O');
  const findings: LabFinding[] = [];
  if (macros.length > 0) {
    findings.push({
      rule: 'oledump.macros',
      title: 'Streams with macro code',
      severity: 'medium',
      evidenceType: 'structural',
      evidence: evidenceOf(
        'oledump',
        macros.map(({ index, name, size }) => `${index} ${name} (${size} bytes)`),
      ),
      benign: 'Templates and add-ins of companies hold macros.',
      attack: ['T1059.005'],
    });
  }
  if (objects.length > 0) {
    findings.push({
      rule: 'oledump.objects',
      title: 'Streams with embedded objects',
      severity: 'low',
      evidenceType: 'structural',
      evidence: evidenceOf(
        'oledump',
        objects.map(({ index, name, size }) => `${index} ${name} (${size} bytes)`),
      ),
      benign: 'Charts, tables and pictures are embedded as objects.',
    });
  }
  return {
    facts: { stream_count: streams.length, macro_stream_count: macros.length, streams: listed(streams) },
    findings,
    texts: [],
    notes: [],
  };
}

export const oledumpParser: ToolParser = { id: 'oledump', parse };
