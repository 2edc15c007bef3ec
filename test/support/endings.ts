const endings: (() => unknown)[] = [];

/** Ends what a test has begun, after that test: what was begun last is ended first. */
export function afterThisTest(end: () => unknown): void {
  endings.push(end);
}

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
