import { LabelNames } from './label-names';

describe('the names of a label', () => {
  it('stay bounded: who comes late shares one', () => {
    const names = new LabelNames(2);
    expect(['a', 'b', 'c', 'a', 'd', 'b'].map((name) => names.of(name))).toEqual([
      'a',
      'b',
      'other',
      'a',
      'other',
      'b',
    ]);
  });
});
