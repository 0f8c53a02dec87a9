import { linesOf, nothingParsed, type ParsedOutput, type ToolParser } from './contract.ts';

/** What it says about the copy on this machine, not about the sample. */
const ownTags =
  /^(?:ExifTool Version Number|File Name|Directory|File Size|File (?:Modification|Access|Inode Change|Creation) Date\/Time|File Permissions)$/;

function parse(text: string): ParsedOutput {
  const metadata: Record<string, string> = {};
  let isExif = false;
  let count = 0;
  for (const line of linesOf(text, 20_000)) {
    const [, tag, value] = /^([A-Za-z][^:]{0,60}?) *: (.*)$/.exec(line) ?? [];
    if (tag === undefined || value === undefined) continue;
    if (ownTags.test(tag)) {
      isExif = true;
      continue;
    }
    count += 1;
    if (Object.keys(metadata).length < 300) metadata[tag] = value.slice(0, 400);
  }
  if (!isExif && count === 0) return { ...nothingParsed, notes: ['exiftool: no tags were found in the output.'] };
  const values = Object.entries(metadata).map(([tag, value]) => `${tag}: ${value}`);
  return {
    facts: { tag_count: count, metadata },
    findings: [],
    texts: values.length === 0 ? [] : [{ label: 'exiftool metadata', text: values.join('\n') }],
    notes: [],
  };
}

export const exiftoolParser: ToolParser = { id: 'exiftool', parse };
