/**
 * A path with values in it, as a tag: pathOf`/people/${id}`. Each value stays within its place, whatever it contains.
 */
export function pathOf(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)));
}

/** A path with its query; what is undefined is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
