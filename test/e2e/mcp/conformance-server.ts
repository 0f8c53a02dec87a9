import type { ServerFactory } from '../../../src/doors/mcp/build-server.ts';
import { openSampleDoor, sampleFactory } from '../../../src/doors/mcp/sample-door.ts';
import { registerMedia } from './conformance-media.ts';
import { conformanceToolset } from './conformance-toolset.ts';

/** Serves what the conformance suite asks for, over the door that the product has. Prints its address. */

const plain = await sampleFactory({ toolsets: [conformanceToolset] });
const makeServer: ServerFactory = (client) => {
  const server = plain(client);
  registerMedia(server);
  return server;
};
const door = await openSampleDoor({ makeServer });
process.stdout.write(`${door.url}\n`);
process.once('SIGTERM', () => void door.close());
