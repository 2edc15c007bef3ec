import { createIsbotFromList, list } from 'isbot';

/**
 * Clients that the list calls bots, as they are no browsers, and that ask for their users: apps of phones, servers that
 * render pages, programs. Nobody asks with a user's session by mistake.
 */
const clients = [
  'node',
  'undici',
  'axios/1.7.2',
  'okhttp/4.12.0',
  'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)',
  'curl/8.5.0',
  'Go-http-client/2.0',
  'Java/21.0.2',
  'python-requests/2.32.3',
];

let isListed: ((userAgent: string) => boolean) | undefined;

/** Whether a user agent is a crawler's, a preview's or a monitor's, by the list of the package isbot. */
export function isBot(userAgent: string): boolean {
  isListed ??= createIsbotFromList(
    list.filter((pattern) => !clients.some((one) => new RegExp(pattern, 'i').test(one))),
  );
  return isListed(userAgent);
}
