/** The values of a record in the order in which its script lists the fields. */
export function recordOf<F extends readonly string[]>(
  fields: F,
  values: Readonly<Record<F[number], unknown>>,
): readonly unknown[] {
  return fields.map((field) => values[field as F[number]]);
}
