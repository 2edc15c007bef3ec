/** The names of tests in Jest's JSON that did not run, not by `it.only` either, and have no `(skipped: …)`. */
export function unexplainedSkips({ testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  return skipped.map(({ fullName }) => fullName).filter((name) => !/\(skipped: [^)]+\)/.test(name));
}
