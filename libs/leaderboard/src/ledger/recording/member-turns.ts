/** Lets work that concerns the same members run one after the other, in the order in which it was asked for. */
export class MemberTurns {
  private readonly latest = new Map<string, Promise<unknown>>();

  async run<T>(members: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
    const before = [...members].flatMap((member) => this.latest.get(member) ?? []);
    const own = Promise.allSettled(before).then(work);
    for (const member of members) this.latest.set(member, own);
    try {
      return await own;
    } finally {
      for (const member of members) if (this.latest.get(member) === own) this.latest.delete(member);
    }
  }
}
