import { findChromium } from '@laurel/servers';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { apiKey } from '../../community/support/community';
import type { Person } from '../../community/support/person';
import { waitUntil } from '../../support/wait-until';

const screenshots = join(__dirname, '../../../.data/screenshots');

/** Chromium as root in a container, without its calls home. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How long a browser may take for anything: it only bounds what hangs. */
const timeout = 120_000;

/** A real browser, without a window. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args, timeout });
}

/** How a page is opened. */
export interface PageOptions extends BrowserContextOptions {
  /** Who is signed in in this profile. */
  readonly as?: Person | undefined;
  /** Where it puts what it complains of. */
  readonly complaints?: string[];
  /** The complaints that are expected. */
  readonly expects?: RegExp | undefined;
  /** What is done to the page before it goes anywhere. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** That of a browser with a window: one without calls itself headless, as bots do, and its visits earn nothing. */
function agentOf(browser: Browser): string {
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`;
}

/** Runs in each page: keeps what its notes say, each of which is shown for five seconds alone. */
const keepNotes = `
  window.notes = [];
  const kept = new WeakSet();
  new MutationObserver(() => {
    for (const note of document.querySelectorAll('#gains p')) {
      if (!kept.has(note)) window.notes.push(note.textContent);
      kept.add(note);
    }
  }).observe(document, { subtree: true, childList: true });`;

/** Waits for a note that says this, and takes it: whether it is still shown or was shown meanwhile. */
export async function noted(page: Page, text: string): Promise<void> {
  // Asked from here: a page's policy lets nothing wait in it.
  await waitUntil(
    () =>
      page.evaluate<boolean>(`(() => {
        const at = notes.findIndex((note) => note.includes(${JSON.stringify(text)}));
        return at >= 0 && notes.splice(at, 1).length > 0;
      })()`),
    { withinMs: timeout, what: `The note “${text}”` },
  );
}

/** What the notes of a page have said, but for those that were waited for. */
export function otherNotes(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('notes');
}

/** Opens a page in a fresh profile, in English by default. Notes errors, warnings and foreign requests. */
export async function openPage(browser: Browser, url: string, options: PageOptions = {}): Promise<{ page: Page }> {
  const { as: person, before, complaints = [], expects, ...contextOptions } = options;
  const context = await browser.newContext({ locale: 'en-GB', userAgent: agentOf(browser), ...contextOptions });
  context.setDefaultTimeout(timeout);
  if (person) await context.addInitScript(`localStorage['laurel-session'] ??= ${JSON.stringify(sessionOf(person))}`);
  await context.addInitScript(`{${keepNotes}}`);
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const text = `${message.text()} ${message.location().url}`;
    if (['error', 'warning'].includes(message.type()) && !expects?.test(text)) complaints.push(text);
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) complaints.push(`foreign: ${request.url()}`);
  });
  await before?.(page);
  await page.goto(url);
  return { page };
}

/** As in the browser of somebody who has typed the API key. */
export function typesKey(page: Page): Promise<unknown> {
  return page.addInitScript(`sessionStorage['laurel-operator-key'] = ${JSON.stringify(apiKey)}`);
}

/** A session as the pages keep it. */
function sessionOf({ id, name, token }: Person): string {
  const user = { id, name, avatarUrl: `/avatars/${id}.svg` };
  return JSON.stringify({ token, expiresAt: '2999-01-01T00:00:00.000Z', user });
}

/** Whether somebody will look at pictures: each takes as long as the page that it shows. */
const keepsPictures = process.env.LAUREL_TEST_PICTURES === '1' || process.env.LAUREL_TEST_FULL === '1';

/** Keeps a picture under `.data/screenshots`, to be looked at: with `LAUREL_TEST_PICTURES=1`, and in the long run. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (!keepsPictures) return;
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}
