import { scanXml } from './scan-xml.ts';

/** Field instructions of a Word part: they may be cut into runs anywhere, and nest. */

const maximalFields = 2000;
const maximalLength = 8192;

export function wordFields(text: string, tick: () => void): string[] {
  const fields: string[] = [];
  const open: { text: string; isInstruction: boolean }[] = [];
  let isInstructionText = false;
  const close = (): void => {
    const done = open.pop();
    if (done === undefined || fields.length >= maximalFields) return;
    fields.push(done.text);
    const outer = open.at(-1);
    if (outer?.isInstruction && outer.text.length < maximalLength) outer.text += done.text;
  };
  scanXml(
    text,
    {
      tag(tag) {
        if (tag.name === 'fldSimple' && !tag.isEnd) {
          const instruction = tag.attributes().get('instr');
          if (instruction !== undefined && fields.length < maximalFields)
            fields.push(instruction.slice(0, maximalLength));
        } else if (tag.name === 'instrText' || tag.name === 'delInstrText')
          isInstructionText = !tag.isEnd && !tag.isEmpty;
        else if (tag.name === 'fldChar' && !tag.isEnd) {
          const type = tag.attributes().get('fldCharType');
          const top = open.at(-1);
          if (type === 'begin' && open.length < 100) open.push({ text: '', isInstruction: true });
          else if (type === 'separate' && top !== undefined) top.isInstruction = false;
          else if (type === 'end') close();
        }
      },
      text(part) {
        if (!isInstructionText) return;
        if (open.length === 0) open.push({ text: '', isInstruction: true });
        const top = open.at(-1);
        if (top !== undefined && top.text.length < maximalLength) top.text += part;
      },
    },
    tick,
  );
  // Instructions whose end is missing are carried out all the same.
  while (open.length > 0) close();
  return fields.map((field) => field.trim()).filter((field) => field !== '');
}
