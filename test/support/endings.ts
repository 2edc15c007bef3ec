const endings: (() => unknown)[] = [];

/** Ends what a test has begun, after that test: what was begun last is ended first. */
export function afterThisTest(end: () => unknown): void {
  endings.push(end);
}

afterEach(async () => {
  const failures: unknown[] = [];
  for (const end of endings.splice(0).reverse())
    await Promise.resolve()
      .then(end)
      .catch((failure: unknown) => failures.push(failure));
  if (failures.length > 0) throw new AggregateError(failures, 'What a test began could not be ended.');
});
