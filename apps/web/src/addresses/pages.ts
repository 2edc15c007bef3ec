/** Where pages live: the one list that the router, the build and, by what the build writes down, the server read. */
export const pages = {
  home: '/',
  board: '/board/:leaderboard',
  articles: '/read',
  article: '/read/:id',
  write: '/write',
  person: '/people/:id',
  operators: '/operators',
  signIn: '/sign-in',
} as const;

/** The name of a page in {@link pages}. */
export type PageName = keyof typeof pages;

/** The value that a page's address has at its end: one where it has any. */
type ValueOf<Name extends PageName> = (typeof pages)[Name] extends `${string}:${string}` ? [value: string] : [];

/** The address of a page: `pathOf('person', id)`. A value stays within its place, whatever it contains. */
export function pathOf<Name extends PageName>(name: Name, ...[value = '']: ValueOf<Name>): string {
  return pages[name].replace(/:\w+$/, () => encodeURIComponent(value));
}

/** An address with its query; what is undefined is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** The first words of the pages' addresses. */
const sections = [...new Set(Object.values(pages).map((path) => path.split('/')[1] ?? ''))].filter(
  (word) => word !== '',
);

/** Our own pages; other addresses of this host, such as the API's, are left to the browser. */
export const ownPages = new RegExp(`^/(?:$|[?#]|(?:${sections.join('|')})(?:[/?#]|$))`);

/** The paths that the server answers with the pages' document, as its router writes them: `/read`, `/read/*`. */
export const served: readonly string[] = [
  ...new Set(
    Object.values(pages).flatMap((path) => (path.includes(':') ? [parentOf(path), `${parentOf(path)}/*`] : path)),
  ),
];

function parentOf(path: string): string {
  return path.slice(0, path.indexOf('/:'));
}
