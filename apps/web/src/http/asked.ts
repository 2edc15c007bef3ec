import type { Client, ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch';
import type { paths } from '../contract/api.generated';
import { ownId } from '../session/session';
import { answerOf, api } from './api';

/** Something that can be read from the server, as often as it is wanted. */
export interface Asked<Answer> {
  /** Who asks for what, with which parameters: the same question has the same key. */
  readonly key: string;
  /** The route as the OpenAPI document has it. */
  readonly path: string;
  read: (signal?: AbortSignal) => Promise<Answer>;
}

type Routes = Client<paths>;
type Readable = ClientPathsWithMethod<Routes, 'get'>;
type Options<Path extends Readable> = MaybeOptionalInit<paths[Path], 'get'>;
type Given<Path extends Readable> = undefined extends Options<Path> ? [Options<Path>?] : [Options<Path>];

/**
 * Names what is read from a route, and reads nothing yet.
 * @param who the user or the key that the client asks for: nobody is shown what another was answered
 */
export function askedBy(client: Routes, who: () => string | null) {
  // The arguments were checked against their route where they were given.
  const get = client.GET as unknown as <Answer>(path: string, options: object) => Promise<{ readonly data?: Answer }>;
  return <Path extends Readable>(
    path: Path,
    ...[options]: Given<Path>
  ): Asked<MethodResponse<Routes, 'get', Path>> => ({
    key: keyOf(who(), path, options?.params),
    path,
    read: (signal) => answerOf(get(path, { ...options, signal: signal ?? null })),
  });
}

/** The key of what somebody asks. */
export function keyOf(who: string | null, path: string, parameters: unknown): string {
  return JSON.stringify([who, path, parameters]);
}

/** What the signed-in user asks, or nobody. */
export const asked = askedBy(api, () => ownId.value);
