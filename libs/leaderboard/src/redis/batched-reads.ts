interface WaitingRead<Q, A> {
  readonly part: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends the reads of one turn of the event loop, of all callers, as one call. */
export class BatchedReads<Q, A> {
  private waiting: WaitingRead<Q, A>[] = [];

  /** @param answer answers each read, in their order. @param most reads of one call. */
  constructor(
    private readonly answer: (parts: readonly Q[]) => Promise<readonly A[]>,
    private readonly most: number,
  ) {}

  /** Rejects, with all reads of the same call, if that rejects. */
  ask(part: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      // After all ready sockets were read, so that the reads that follow from their answers share a call.
      if (this.waiting.length === 0) setImmediate(() => this.send());
      this.waiting.push({ part, resolve, reject });
      if (this.waiting.length === this.most) this.send();
    });
  }

  private send(): void {
    const asked = this.waiting;
    if (asked.length === 0) return;
    this.waiting = [];
    this.answer(asked.map(({ part }) => part)).then(
      (answers) => asked.forEach(({ resolve }, i) => resolve(answers[i] as A)),
      (error: unknown) => asked.forEach(({ reject }) => reject(error)),
    );
  }
}
