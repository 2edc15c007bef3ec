/** The values of a record in the order in which its script lists the fields. */
export function recordOf<F extends readonly string[]>(
  fields: F,
  values: Readonly<Record<F[number], unknown>>,
): readonly unknown[] {
  return fields.map((field) => values[field as F[number]]);
}

/** The keys that a plan names beside those of its script's contract: by their positions, from 1. */
export class Places {
  readonly others: string[] = [];
  private readonly places = new Map<string, number>();

  place(key: string): number {
    const place = this.places.get(key) ?? this.others.push(key);
    this.places.set(key, place);
    return place;
  }
}
