import { z } from 'zod';
import { defineCommand } from '../definition.ts';
import { formatJson } from '../terminal/index.ts';

export const build = defineCommand({
  name: 'build',
  summary: "make the image that the docker backend uses, from this machine's own files",
  description:
    "Make the image that the docker backend uses. It is built from this machine's own root: no registry is asked.",
  options: [{ flags: '--json', description: 'as one JSON document' }],
  examples: [
    { line: 'hotcell build', says: 'once, before the first docker box' },
    { line: 'hotcell build --docker-socket /run/docker.sock', says: 'for an engine that listens elsewhere' },
  ],
  exits: [
    { code: '0', when: 'the image is there' },
    { code: '5', when: 'no docker engine answers, or it could not take the image' },
  ],
  input: z.object({ json: z.boolean().default(false) }),
  async run({ json }, _words, { settings, stdout }) {
    const { buildImage } = await import('../../../engine/box/index.ts');
    const { image } = await buildImage(settings.values.dockerSocket);
    stdout.write(json ? formatJson({ image }, 0) : `${image}\n`);
    return 0;
  },
});
