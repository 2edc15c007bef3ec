/**
 * The one name of a page, however its address is written: without query string and trailing slashes, percent-encoding
 * undone except where it keeps segments apart, and fixed segments as the route has them (Express takes them in any
 * case).
 * @param url the request's address, from its path on.
 * @param route the route's pattern, `/articles/:id`, where the platform tells it.
 */
export function pagePath(url: string, route?: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  const segments = segmentsOf(path).map(canonical);
  const fixed = segmentsOf(route ?? '');
  const named = segments.map((segment, i) => {
    const pattern = fixed[i];
    const isFixed = fixed.length === segments.length && pattern !== undefined && /^[\w.~-]+$/.test(pattern);
    return isFixed ? pattern : segment;
  });
  return `/${named.join('/')}`;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function canonical(segment: string): string {
  try {
    return decodeURIComponent(segment).replace(/[%/]/g, encodeURIComponent);
  } catch {
    // Routers refuse malformed encodings; what one let through is its own name.
    return segment;
  }
}
