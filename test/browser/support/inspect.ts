import type axe from 'axe-core';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../support/wait-until';
import { keepScreenshot } from './browser';

/** A finding, as a failing test shows it. */
interface Finding {
  readonly where: string;
  readonly rule: string;
  readonly nodes: readonly string[];
}

/** Each page parses it: its short form is half as long. */
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const telephone = { width: 375, height: 812 };

/** The narrowest telephones, and tablets, upright and lying: on them nothing is wider than the window either. */
const others = [
  { width: 320, height: 700 },
  { width: 768, height: 1_024 },
  { width: 1_024, height: 768 },
];

/**
 * The faults of a page: everything that axe finds serious or critical, in light and in dark colours, and everything
 * wider than a telephone or a tablet. Keeps a picture of a wide window and of a telephone. Restores the page's width.
 */
export async function inspect(page: Page, name: string): Promise<Finding[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  // Of all that axe looks at, colours alone are others in the dark.
  const found = await findings(page, `${name}, dark`, { runOnly: ['color-contrast', 'link-in-text-block'] });
  await page.emulateMedia({ colorScheme: 'light' });
  found.push(...(await findings(page, `${name}, light`)));
  await keepScreenshot(page, name);
  const size = page.viewportSize();
  for (const other of [...others, telephone]) {
    await page.setViewportSize(other);
    found.push(...(await tooWide(page, `${name}, ${other.width} px`, other.width)));
  }
  await keepScreenshot(page, `${name}-phone`);
  if (size) await page.setViewportSize(size);
  return found;
}

/** What reaches beyond the side of the window, once charts have taken its width. */
async function tooWide(page: Page, where: string, width: number): Promise<Finding[]> {
  const fits = `document.documentElement.scrollWidth <= ${width}`;
  // Asked from here: a page's policy lets nothing wait in it.
  const isFitting = await waitUntil(() => page.evaluate<boolean>(fits), { withinMs: 10_000, what: where }).catch(
    () => false,
  );
  if (isFitting) return [];
  const nodes = await page.evaluate<string[]>(
    `[...document.querySelectorAll('body *')].filter((node) => node.getBoundingClientRect().right > ${width}).map(({ outerHTML }) => outerHTML.slice(0, 200))`,
  );
  return [{ where, rule: 'wider than the window', nodes }];
}

async function findings(page: Page, where: string, options: axe.RunOptions = {}): Promise<Finding[]> {
  // Colours in the middle of a change are nobody's.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((a) => a.effect.getComputedTiming().endTime < 1e6).map((a) => a.finished))',
  );
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axeSource);
  const asked = JSON.stringify({ ...options, resultTypes: ['violations'] } satisfies axe.RunOptions);
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${asked})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, nodes }) => ({
      where,
      rule: `${id} (${impact})`,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }));
}
