import { LabelNames } from './label-names';

describe('the names of a label', () => {
  it('stay bounded: who comes late shares one', () => {
    const names = new LabelNames(2);
    expect([...'abcadb'].map((name) => names.of(name)).join(' ')).toBe('a b other a other b');
  });
});
