import type { Client, ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch';
import type { paths } from '../contract/api.generated';
import { ownId } from '../session/session';
import { answerOf, api } from './api';

/** A read of the server that may be repeated. */
export interface Query<Answer> {
  /** The user, the route and its parameters: equal queries have the same key. */
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
 * Makes queries of a client's routes; they send nothing until they are read.
 * @param who the user or the operator's key of the client: users never share answers
 */
export function queriesOf(client: Routes, who: () => string | null) {
  // The arguments were checked against their route where they were given.
  const get = client.GET as unknown as <Answer>(path: string, options: object) => Promise<{ readonly data?: Answer }>;
  return <Path extends Readable>(
    path: Path,
    ...[options]: Given<Path>
  ): Query<MethodResponse<Routes, 'get', Path>> => ({
    key: keyOf(who(), path, options?.params),
    path,
    read: (signal) => answerOf(get(path, { ...options, signal: signal ?? null })),
  });
}

/** The key of a user's query. */
export function keyOf(who: string | null, path: string, parameters: unknown): string {
  return JSON.stringify([who, path, parameters]);
}

/** A query of the signed-in user, or of nobody. */
export const queryOf = queriesOf(api, () => ownId.value);
