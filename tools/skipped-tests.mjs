/**
 * The names of tests in Jest's JSON that did not run and give no reason. A name that ends in `(skipped: …)` gives one;
 * a test that `it.only` of another test kept from running does not.
 */
export function unexplainedSkips({ testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  return skipped.map(({ fullName }) => fullName).filter((name) => !/\(skipped: [^)]+\)/.test(name));
}
