import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { renderHtml } from '../../../src/instruments/lab/report/html.ts';
import type { LabReport } from '../../../src/instruments/lab/report/schema.ts';
import { poisonReport, poisons } from './poison.ts';
import { sampleFinding, sampleLabReport } from './sample-lab-report.ts';

/** The page in a browser, as somebody who got it by mail opens it. */

const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const folder = mkdtempSync('/tmp/hotcell-lab-page-');
const probes = readFileSync(new URL('../../e2e/page-probes.js', import.meta.url), 'utf8');
const desk = { viewport: { width: 1280, height: 900 } };
const phone = { viewport: { width: 360, height: 740 } };

describe('the page of the lab in a browser', () => {
  let browser: Browser | null = null;

  beforeAll(async () => {
    if (browserPath === undefined) return;
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  });
  beforeEach((context) => {
    if (browserPath === undefined) context.skip('no chromium here');
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function look<Seen>(
    report: LabReport,
    options: BrowserContextOptions,
    ask: (page: Page) => Promise<Seen>,
  ): Promise<{ readonly seen: Seen; readonly misdeeds: readonly string[] }> {
    if (browser === null) throw new Error('there is no browser');
    const path = join(folder, 'page.html');
    writeFileSync(path, renderHtml(report));
    const address = pathToFileURL(path).href;
    const context = await browser.newContext(options);
    const misdeeds: string[] = [];
    try {
      const page = await context.newPage();
      page.on('request', (request) => {
        if (request.url() !== address) misdeeds.push(`asked for ${request.url()}`);
      });
      page.on('console', (message) => misdeeds.push(`said ${message.text()}`));
      page.on('dialog', (dialog) => {
        misdeeds.push(`opened a dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(address);
      await page.evaluate(probes);
      return { seen: await ask(page), misdeeds };
    } finally {
      await context.close();
    }
  }

  async function sticksOut(page: Page): Promise<readonly string[]> {
    const folded = await page.evaluate<readonly string[]>('probes.sticksOut()');
    await page.evaluate('probes.openFolds()');
    return [...folded, ...(await page.evaluate<readonly string[]>('probes.sticksOut()'))];
  }

  const many = Array.from({ length: 200 }, (_, at) => sampleFinding({ rule: `a.${at}`, title: `finding ${at}` }));
  it.each([
    { is: 'with everything', report: sampleLabReport() },
    {
      is: 'with nothing',
      report: sampleLabReport({ findings: [], indicators: [], analysers: [], tools: [], inner_files: [] }),
    },
    { is: 'with many findings', report: sampleLabReport({ findings: many }) },
  ])('$is: nothing is asked for and nothing sticks out, on a desk and on a phone', async ({ report }) => {
    const onDesk = await look(report, desk, async (page) => {
      const wide = await sticksOut(page);
      await page.setViewportSize(phone.viewport);
      return [...wide, ...(await sticksOut(page))];
    });
    expect(onDesk).toEqual({ seen: [], misdeeds: [] });
  });

  // The others are the same for a browser: text without a mark and without a long word.
  const shown = ['markup', 'attributes', 'style', 'what cannot be seen', 'long words', 'long gaps'];
  it.each(poisons.filter(({ is }) => shown.includes(is)))('does nothing that a sample wrote: $is', async ({ text }) => {
    const report = poisonReport(sampleLabReport(), text, false);
    expect(await look(report, phone, sticksOut)).toEqual({ seen: [], misdeeds: [] });
  });

  it('runs no script that got in', async () => {
    const { seen } = await look(sampleLabReport(), desk, async (page) => {
      await page.evaluate('probes.addScript()');
      return page.title();
    });
    expect(seen).toContain('Hotcell lab');
  });

  it.each(['light', 'dark'] as const)('can be read in %s', async (colorScheme) => {
    const { seen } = await look(sampleLabReport(), { ...desk, colorScheme }, async (page) => {
      await page.evaluate('probes.openFolds()');
      return page.evaluate<{ ratio: number; where: string }>('probes.worstContrast()');
    });
    expect(seen.ratio, seen.where).toBeGreaterThanOrEqual(4.5);
  });
});
