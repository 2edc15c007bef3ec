/** As much of a request as Fastify's and Express' have in common. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** The URL as it came, where a router has cut `url`. */
  readonly originalUrl?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Who sent the request, by Nest's custom: the `id` of `request.user`, which a guard put there; null for nobody. */
export function requestUser(request: unknown): string | null {
  const { user } = request as { readonly user?: { readonly id?: unknown } | null };
  const id = user?.id;
  if (typeof id === 'string' && id.length > 0) return id;
  return typeof id === 'number' ? String(id) : null;
}
