interface Asked<Q, A> {
  readonly part: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (error: unknown) => void;
}

/** What is asked in one turn of the event loop, by whomever, is one question with as many parts. */
export class AskedTogether<Q, A> {
  private waiting: Asked<Q, A>[] = [];

  /** @param answer gives an answer to each part, in their order. @param most parts of one question. */
  constructor(
    private readonly answer: (parts: readonly Q[]) => Promise<readonly A[]>,
    private readonly most: number,
  ) {}

  /** Fails with all that were asked together, if the answer does. */
  ask(part: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      // After all sockets that have something were read, so that what their answers ask for is asked together.
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
