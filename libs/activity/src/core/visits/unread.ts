import type { HttpRequest } from '../http/request';

/** Why nobody reads what a request is answered. */
export type UnreadReason = 'prefetch' | 'background' | 'bot';

/** By which browsers and caches say that they fetch what might be read later. */
const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/**
 * Why nobody reads the answer to a request, as far as the request says it; null: somebody may. Browsers say
 * `Sec-Purpose: prefetch` of a page that is not opened yet, and by `Sec-Fetch-Dest` and `Sec-Fetch-Mode` of a picture,
 * a frame or a fetch of another site that it is no page.
 */
export function whyUnread({ headers }: HttpRequest, isBot: (userAgent: string) => boolean): UnreadReason | null {
  if (purposes.some((name) => /prefetch|prerender|preview/i.test(textOf(headers[name])))) return 'prefetch';
  const isEmbedded = !['', 'document', 'empty'].includes(textOf(headers['sec-fetch-dest']));
  if (isEmbedded || textOf(headers['sec-fetch-mode']) === 'no-cors') return 'background';
  return isBot(textOf(headers['user-agent'])) ? 'bot' : null;
}

/** Whether a script of a page made the request: what it reads is data, and a page of HTML is not read by it. */
export function isFetchedByScript({ headers }: HttpRequest): boolean {
  return textOf(headers['sec-fetch-dest']) === 'empty' || /^XMLHttpRequest$/i.test(textOf(headers['x-requested-with']));
}

function textOf(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join() : (header ?? '');
}
