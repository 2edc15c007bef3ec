/** Keeps the values of a metric's label bounded: the first ones keep their names, all others share `other`. */
export class LabelNames {
  private readonly known = new Set<string>();

  constructor(private readonly max: number) {}

  of(name: string): string {
    if (this.known.has(name)) return name;
    if (this.known.size >= this.max) return 'other';
    this.known.add(name);
    return name;
  }
}
