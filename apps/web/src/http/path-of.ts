/**
 * A path with values in it, as a tag: pathOf`/people/${id}`. Each value stays within its place, whatever it contains.
 */
export function pathOf(texts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: texts }, ...values.map((value) => encodeURIComponent(value)));
}
