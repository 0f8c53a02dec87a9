// HONEST TWIN of eval-javascript, for boxes only: reads an argument as arithmetic.
import { McpServer, serveStdio } from './mcp-loop.js';

const server = new McpServer({ name: 'calculator', version: '1.0.0' });

/** Numbers, + - * / and brackets; each level of binding is one loop. */
function calculate(text) {
  const words = text.match(/\d+(\.\d+)?|[-+*/()]|\S/g) ?? [];
  let at = 0;
  const value = () => {
    const word = words[at++];
    if (word === '-') return -value();
    if (word === '(') {
      const inner = sum();
      if (words[at++] !== ')') throw new Error('this is no arithmetic');
      return inner;
    }
    if (word === undefined || !/^\d/.test(word)) throw new Error('this is no arithmetic');
    return Number(word);
  };
  const product = () => {
    let result = value();
    while (words[at] === '*' || words[at] === '/') result = words[at++] === '*' ? result * value() : result / value();
    return result;
  };
  const sum = () => {
    let result = product();
    while (words[at] === '+' || words[at] === '-')
      result = words[at++] === '+' ? result + product() : result - product();
    return result;
  };
  const result = sum();
  if (at < words.length) throw new Error('this is no arithmetic');
  return result;
}

server.registerTool(
  'calculate',
  {
    description: 'Calculates an expression, such as 2 * (3 + 4).',
    inputSchema: {
      type: 'object',
      properties: { expression: { type: 'string', maxLength: 200 } },
      required: ['expression'],
    },
  },
  ({ expression }) => String(calculate(String(expression).slice(0, 200))),
);

await serveStdio(server);
