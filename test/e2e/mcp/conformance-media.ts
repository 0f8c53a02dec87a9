import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Pictures and sounds: the suite asks for them, our own definitions have none, so they are registered by hand. */

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const image = { type: 'image' as const, data: png, mimeType: 'image/png' };

export function registerMedia(server: McpServer): void {
  const say = (name: string) => ({ title: name, description: `${name} of the conformance suite.` });
  server.registerTool('test_image_content', say('Image'), () => ({ content: [image] }));
  server.registerTool('test_audio_content', say('Audio'), () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  }));
  const embedded = {
    uri: 'test://embedded-resource',
    mimeType: 'text/plain',
    text: 'This is an embedded resource content.',
  };
  server.registerTool('test_embedded_resource', say('Embedded'), () => ({
    content: [{ type: 'resource', resource: embedded }],
  }));
  server.registerTool('test_multiple_content_types', say('Mixed'), () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: JSON.stringify({ test: 'data', value: 123 }),
        },
      },
    ],
  }));
  const binary = { title: 'Binary', description: 'A picture.', mimeType: 'image/png' };
  server.registerResource('static-binary', 'test://static-binary', binary, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: png }],
  }));
  server.registerPrompt('test_prompt_with_image', say('Image'), () => ({
    messages: [
      { role: 'user', content: image },
      { role: 'user', content: { type: 'text', text: 'Please analyze the image above.' } },
    ],
  }));
  const argsSchema = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { ...say('Embedded'), argsSchema },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        { role: 'user', content: { type: 'text', text: 'Please process the embedded resource above.' } },
      ],
    }),
  );
}
