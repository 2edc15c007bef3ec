/** Who sent the request, by Nest's custom: the `id` of `request.user`, which a guard put there; null for nobody. */
export function requestUser(request: unknown): string | null {
  const { user } = request as { readonly user?: { readonly id?: unknown } | null };
  const id = user?.id;
  if (typeof id === 'string' && id.length > 0) return id;
  return typeof id === 'number' ? String(id) : null;
}
