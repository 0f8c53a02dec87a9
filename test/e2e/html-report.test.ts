import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventSchema } from '../../src/base/event-schema.ts';
import type { Report, Subject } from '../../src/base/report-schema.ts';
import { poison } from '../../src/evidence/renderers/html/sample-poison.ts';
import {
  emptyStory,
  faultlessSubject,
  hostileSubject,
  sampleReport,
  stillbornSubject,
  weakSubject,
} from '../../src/evidence/renderers/html/sample-report.ts';
import { busyStory } from '../../src/evidence/renderers/html/sample-story.ts';
import { html } from '../../src/evidence/renderers/html.ts';
import { type Story, tellStory } from '../../src/evidence/story/index.ts';

/** The HTML report in a browser, as somebody who got it by mail opens it. */

const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const folder = mkdtempSync('/tmp/hotcell-html-');
const phone = { viewport: { width: 360, height: 740 } };
const probes = readFileSync(new URL('page-probes.js', import.meta.url), 'utf8');
const mostHovered = 12;
const desk = { viewport: { width: 1280, height: 900 } };

async function storyOf(name: string): Promise<Story> {
  const text = readFileSync(new URL(`../samples/stories/${name}.ndjson`, import.meta.url), 'utf8');
  const events = text
    .trim()
    .split('\n')
    .map((line) => eventSchema.parse(JSON.parse(line)));
  return tellStory(events, {
    home: '/home/priya',
    ownFolders: ['/opt/samples'],
    decoys: ['.ssh/id_ed25519'],
    declaredHosts: [],
  });
}

/** What a page did that it should not have: asked for something, complained, opened a dialog. */
interface Opened {
  readonly page: Page;
  readonly misdeeds: string[];
}

describe('the HTML report in a browser', () => {
  let browser: Browser | null = null;
  let opened: Page[] = [];
  const samples: Record<string, Subject> = {};

  beforeAll(async () => {
    if (browserPath === undefined) return;
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
    samples.hostile = hostileSubject(await storyOf('ssh-key-on-start'));
    samples.weak = weakSubject(await storyOf('shell-injection'));
    samples.stillborn = stillbornSubject();
    samples.faultless = faultlessSubject(emptyStory);
    samples.busy = hostileSubject(busyStory({ calls: 4000, processes: 600, files: 1500, hosts: 300 }));
    const { analysis: _, ...scanned } = samples.hostile;
    samples.scanned = scanned;
  });
  beforeEach((context) => {
    if (browserPath === undefined) context.skip('no chromium here');
  });
  afterEach(async () => {
    for (const page of opened) await page.context().close();
    opened = [];
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function subject(name: string): Subject {
    const sample = samples[name];
    if (sample === undefined) throw new Error(`no sample is called ${name}`);
    return sample;
  }

  async function open(report: Report, options: BrowserContextOptions = desk): Promise<Opened> {
    if (browser === null) throw new Error('there is no browser');
    const path = join(folder, `${opened.length}.html`);
    writeFileSync(path, html.render({ report, rules: [], boms: [{ components: [{ name: 'left', version: '1' }] }] }));
    const context = await browser.newContext(options);
    const page = await context.newPage();
    opened.push(page);
    const address = pathToFileURL(path).href;
    const misdeeds: string[] = [];
    page.on('request', (request) => {
      if (request.url() !== address) misdeeds.push(`asked for ${request.url()}`);
    });
    page.on('console', (message) => misdeeds.push(`said ${message.text()}`));
    page.on('pageerror', (error) => misdeeds.push(`failed: ${error.message}`));
    page.on('dialog', (dialog) => {
      misdeeds.push(`opened a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address);
    await page.evaluate(probes);
    return { page, misdeeds };
  }

  function sticksOut(page: Page): Promise<readonly string[]> {
    return page.evaluate('probes.sticksOut()');
  }

  it.each(['hostile', 'weak', 'stillborn', 'faultless', 'scanned', 'busy'])(
    'opens %s without a word, a request or anything that sticks out, on a desk and on a phone',
    async (name) => {
      for (const options of [desk, phone]) {
        const { page, misdeeds } = await open(sampleReport([subject(name)]), options);
        expect(await page.locator('h2').count()).toBe(1);
        if (name !== 'busy') expect(await sticksOut(page)).toEqual([]);
        await page.evaluate('probes.openFolds()');
        expect(await sticksOut(page)).toEqual([]);
        expect(misdeeds).toEqual([]);
      }
    },
  );

  it('takes whoever clicks to the finding, and opens folds', async () => {
    const { page, misdeeds } = await open(sampleReport([subject('hostile')]));
    await page.locator('.axis a').first().click();
    const id = new URL(page.url()).hash.slice(1);
    expect(id).toMatch(/^target-1-finding-[0-9a-f]{16}$/);
    const finding = page.locator(`[id="${id}"]`);
    await expect.poll(() => finding.evaluate((element) => element.matches(':target'))).toBe(true);
    expect(await finding.locator('h4').textContent()).toContain('private SSH key');
    const fold = finding.locator('details');
    expect(await fold.locator('pre').first().isVisible()).toBe(false);
    await fold.locator('summary').click();
    expect(await fold.locator('pre').first().isVisible()).toBe(true);
    for (const link of await page.locator('nav a').all()) {
      const target = (await link.getAttribute('href')) ?? '';
      expect(await page.locator(`[id="${target.slice(1)}"]`).count()).toBe(1);
    }
    expect(misdeeds).toEqual([]);
  });

  it.each([
    {
      is: 'markup',
      text: '</script></style></title><img src=x onerror=alert(1)><svg onload=alert(1)><script>alert(1)</script>',
    },
    { is: 'attributes', text: '" onmouseover="alert(1)" autofocus onfocus="alert(1)" style="position:fixed' },
    { is: 'style', text: '}</style><style>@import url(http://127.0.0.1:9/x);*{background:url(http://127.0.0.1:9/y)}' },
    { is: 'addresses', text: 'javascript:alert(1)' },
    { is: 'long words', text: 'W'.repeat(3000) },
    { is: 'long words of another script', text: '\u05d0'.repeat(1500) },
    { is: 'what cannot be seen', text: `\u0000\u001b[31m\u202e${'\u0301'.repeat(200)}\u200b` },
  ])('does nothing that a target wrote: $is', async ({ text }) => {
    const report = poison(sampleReport([subject('hostile'), subject('stillborn')]), text);
    for (const options of [desk, phone]) {
      const { page, misdeeds } = await open(report, options);
      await page.evaluate('probes.openFolds()');
      for (const element of (await page.locator('.finding h4, .chain .step, .network li').all()).slice(0, mostHovered))
        await element.hover({ force: true });
      expect(await page.locator('script, img, iframe, link').count()).toBe(0);
      expect(await sticksOut(page)).toEqual([]);
      expect(misdeeds).toEqual([]);
    }
  });

  it('runs no script even where one would have come in', async () => {
    const { page, misdeeds } = await open(sampleReport([subject('hostile')]));
    // The policy in the page is the second wall; a script put in by hand shows that it stands.
    await page.evaluate('probes.addScript()');
    expect(await page.title()).not.toBe('taken over');
    expect(misdeeds.join()).toContain('Content Security Policy');
  });

  it.each(['light', 'dark'] as const)('can be read in the %s', async (colorScheme) => {
    for (const name of ['hostile', 'stillborn', 'faultless', 'scanned']) {
      const { page } = await open(sampleReport([subject(name)]), { ...desk, colorScheme });
      const worst: { readonly ratio: number; readonly where: string } = await page.evaluate('probes.worstContrast()');
      expect(worst.ratio, worst.where).toBeGreaterThan(4.5);
    }
  });

  it('is another page in the dark', async () => {
    const ground = async (colorScheme: 'light' | 'dark'): Promise<string> => {
      const { page } = await open(sampleReport([subject('hostile')]), { ...desk, colorScheme });
      return page.evaluate('probes.ground()');
    };
    expect(await ground('dark')).not.toBe(await ground('light'));
  });

  it('hides nothing on paper, and is light there', async () => {
    const { page } = await open(sampleReport([subject('hostile')]), { ...desk, colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.finding details pre').first().isVisible()).toBe(true);
    expect(await page.locator('nav').isVisible()).toBe(false);
    expect(await page.evaluate('probes.ground()')).toBe('rgb(255, 255, 255)');
    const paper = await page.pdf({ format: 'A4' });
    expect(paper.subarray(0, 5).toString('latin1')).toBe('%PDF-');
  });
});
