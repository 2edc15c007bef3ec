/**
 * The names of tests in Jest's JSON that did not run and do not say why. A name that ends in `(skipped: …)` says why; what
 * `it.only` of another test keeps from running does not.
 */
export function unexplainedSkips({ testResults }) {
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(
      ({ status, fullName }) => status !== 'passed' && status !== 'failed' && !/\(skipped: [^)]+\)/.test(fullName),
    )
    .map(({ fullName }) => fullName);
}
