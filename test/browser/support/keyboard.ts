import type { Locator, Page } from 'playwright-core';

/** The text of what has the focus, or its name where it has no text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(
    `(({ textContent, ariaLabel, labels, tagName }) =>
      tagName === 'BODY' ? '' : (textContent.trim() || ariaLabel || labels?.[0]?.textContent.trim() || ''))(document.activeElement)`,
  );
}

/** Presses Tab, or Shift+Tab, until the element has the focus, as somebody does who has no mouse. */
export async function tabTo(page: Page, element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await element.waitFor();
  const hasFocus = () => element.evaluate((node) => node === node.ownerDocument.activeElement);
  for (let steps = 0; !(await hasFocus()); steps += 1) {
    if (steps === 80) throw new Error(`No ${key} leads to ${String(element)}; the last was ${await focused(page)}.`);
    await page.keyboard.press(key);
  }
}

/** Goes to an element by Tab, sees that its focus can be seen, and presses Enter on it. */
export async function pressOn(page: Page, element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(page, element, key);
  const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
  if (outline === 'none') throw new Error(`The focus on ${String(element)} cannot be seen.`);
  await page.keyboard.press('Enter');
}

/** Goes to a field by Tab and types into it, in the place of what is there. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}
