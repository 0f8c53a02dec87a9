import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanEnvironment, repository } from './hotcell.ts';

/** Every example of docs/library.md, run as a program of its own against the built package. */

const page = readFileSync(join(repository, 'docs', 'library.md'), 'utf8');
const examples = [...page.matchAll(/^## (.+)$|^```ts\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/gm)];

interface Example {
  readonly title: string;
  readonly code: string;
  readonly prints: string;
}

function readExamples(): readonly Example[] {
  let title = '';
  return examples.flatMap(([, heading, code, prints]) => {
    if (heading !== undefined) title = heading;
    return code === undefined || prints === undefined ? [] : [{ title, code, prints }];
  });
}

let folder = '';
beforeAll(() => {
  // Inside the package, so that its own name means the package.
  folder = mkdtempSync(join(repository, 'test', 'e2e', '.library-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the examples of the library', () => {
  it('are all found', () => {
    expect(readExamples().length).toBe([...page.matchAll(/^```ts$/gm)].length);
    expect(readExamples().length).toBeGreaterThan(5);
  });

  it.each(readExamples().map((example, at) => [example.title, at, example] as const))(
    '%s prints what it says',
    (_, at, { code, prints }) => {
      const file = join(folder, `example-${at}.ts`);
      writeFileSync(file, code);
      const ran = spawnSync(process.execPath, ['--no-warnings', file], {
        cwd: folder,
        env: cleanEnvironment({ HOTCELL_HOME: join(folder, `home-${at}`) }),
        encoding: 'utf8',
        timeout: 170_000,
      });
      expect(ran.stderr).toBe('');
      expect(ran.stdout).toBe(prints);
    },
  );
});
