import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
// What @playwright/test compares pictures with; playwright-core has no types of it.
import { utils } from 'playwright-core/lib/coreBundle';

const committed = join(__dirname, '../pictures');
const seen = join(__dirname, '../../../.data/pictures');
const fontsFile = join(committed, 'fonts.txt');

/** Whether the committed pictures are replaced by what is drawn now: `npm run pictures`. */
export const isUpdate = process.env.LAUREL_TEST_PICTURES === 'update';

/** The edges of letters differ by less, and a button by more. */
const tolerance = { threshold: 0.2, maxDiffPixels: 200 };

/** The families that the styles of the pages name, and a letter that not every font has. */
const families = [
  ...['ui-serif', 'Palatino', 'Georgia', 'serif', 'serif:lang=zh'],
  ...['system-ui', 'Segoe UI', 'Roboto', 'Noto Sans', 'Liberation Sans', 'sans-serif', 'sans-serif:lang=zh'],
  ...['ui-monospace', 'Menlo', 'monospace'],
];

const said = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** The browser and the fonts, with their versions, with which pages are drawn here; empty where nothing says so. */
function drawnWithHere(): string {
  try {
    const [chromium = ''] =
      /Chrom\w+ \d+/.exec(said(process.env.CHROMIUM_PATH ?? 'chromium-headless-shell', '--version')) ?? [];
    const fonts = families.map((family) => said('fc-match', '--format', '%{family} %{fontversion}', family));
    return [chromium, ...[...new Set(fonts)].sort()].join(', ');
  } catch {
    return '';
  }
}

/** Why pictures cannot be compared here; null: they can. */
export function whyNotHere(): string | null {
  const here = drawnWithHere();
  if (isUpdate) return null;
  const drawnWith = readFileSync(fontsFile, 'utf8').trim();
  return here === drawnWith
    ? null
    : `the pictures are drawn with ${drawnWith}, and what is here is ${here === '' ? 'unknown' : here}`;
}

/** Puts pictures, rows of them, into one, which is what is kept and compared. */
export async function montage(browser: Browser, rows: readonly (readonly Buffer[])[]): Promise<Buffer> {
  const page = await browser.newPage();
  try {
    const images = (row: readonly Buffer[]) =>
      row.map((picture) => `<img src="data:image/png;base64,${picture.toString('base64')}">`).join('');
    const html = rows.map((row) => `<div>${images(row)}</div>`).join('');
    const style = 'body{margin:0;width:max-content;background:#888}div{display:flex;gap:4px;margin-bottom:4px}';
    await page.setContent(`<style>${style}</style>${html}`);
    return await page.locator('body').screenshot({ type: 'webp', quality: 50 });
  } finally {
    await page.close();
  }
}

/** What is wrong with a picture, beside the committed one; null: nothing, or the committed one was replaced. */
export async function compared(name: string, picture: Buffer): Promise<string | null> {
  const file = join(committed, `${name}.webp`);
  if (isUpdate) {
    await writeFile(file, picture);
    await writeFile(fontsFile, `${drawnWithHere()}\n`);
    return null;
  }
  const difference = utils.getComparator('image/webp')(picture, await readFile(file), tolerance);
  if (!difference) return null;
  await mkdir(seen, { recursive: true });
  await writeFile(join(seen, `${name}.webp`), picture);
  if (difference.diff) await writeFile(join(seen, `${name}.difference.png`), difference.diff);
  return (
    `${name}: ${difference.errorMessage} Look at .data/pictures/${name}.difference.png; ` +
    'where the page is meant to look so, replace the pictures: npm run pictures'
  );
}
