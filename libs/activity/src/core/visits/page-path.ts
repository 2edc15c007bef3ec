/**
 * The one name of a page, however its address is written: without host, query string and trailing slashes,
 * percent-encoding undone except where it keeps segments apart, and fixed segments as the route has them (Express takes
 * them in any case).
 * @param url the request's address; a client may send the host with it, and any host: the page is the same.
 * @param route the route's pattern, `/articles/:id`, where the platform tells it.
 */
export function pagePath(url: string, route = ''): string {
  const [path = ''] = url.replace(/^[^/?#]+:\/\/[^/?#]*/, '').split(/[?#]/, 1);
  const fixed = segmentsOf(route);
  const isFixed = (segment: string, i: number) => fixed[i]?.toLowerCase() === segment.toLowerCase();
  const segments = segmentsOf(path).map(canonical);
  return `/${segments.map((segment, i) => (isFixed(segment, i) ? fixed[i] : segment)).join('/')}`;
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
