/**
 * The names of tests in Jest's JSON that did not run and give no reason. A name that ends in `(skipped: …)` gives one;
 * a test that `it.only` of another test kept from running does not.
 */
export function unexplainedSkips({ testResults }) {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(
      ({ status, fullName }) => status !== 'passed' && status !== 'failed' && !/\(skipped: [^)]+\)/.test(fullName),
    )
    .map(({ fullName }) => fullName);
}
