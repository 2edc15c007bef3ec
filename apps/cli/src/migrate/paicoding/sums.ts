/** Points by users, of a day or a month. */
export class Sums {
  private readonly byPeriod = new Map<string, Map<string, number>>();

  add(period: string, userId: string, points: number): void {
    const users = this.byPeriod.get(period) ?? new Map<string, number>();
    users.set(userId, (users.get(userId) ?? 0) + points);
    this.byPeriod.set(period, users);
  }

  of(period: string): ReadonlyMap<string, number> {
    return this.byPeriod.get(period) ?? new Map<string, number>();
  }

  forget(period: string): void {
    this.byPeriod.delete(period);
  }
}
