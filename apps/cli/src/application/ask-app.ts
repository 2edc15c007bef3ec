import { CommandError } from '../errors/command-error';
import type { CommandContext } from './command-context';

/**
 * Asks the app at an address for one of its routes below `/activity/`, with the key in LAUREL_API_KEY.
 * @throws CommandError where there is no such app, or it refuses.
 */
export async function askApp(
  { env: { LAUREL_API_KEY: key } }: CommandContext,
  address: string,
  { method, path, body }: { readonly method: 'DELETE' | 'GET' | 'POST'; readonly path: string; readonly body?: object },
): Promise<Response> {
  if (!key) throw new CommandError('LAUREL_API_KEY is not set: set it to the key of the app.');
  if (!URL.canParse(address))
    throw new CommandError(`--url is ${JSON.stringify(address)}: use an address such as http://localhost:3000.`);
  const url = new URL(`activity/${path}`, address.endsWith('/') ? address : `${address}/`);
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
  const sent = body && { body: JSON.stringify(body) };
  const answer = await fetch(url, { method, headers, ...sent }).catch((cause: unknown) => {
    throw new CommandError(`The app at ${url.host} does not answer: start it, or correct --url.`, { cause });
  });
  if (answer.ok) return answer;
  const { detail } = (await answer.json().catch(() => ({}))) as { readonly detail?: string };
  throw new CommandError(`The app answered ${answer.status}: ${detail ?? 'it gave no reason'}`);
}
