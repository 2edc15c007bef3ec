import { nextSequence, sequenceAt } from './activity';

describe('the number of an activity', () => {
  const at = Number.MAX_SAFE_INTEGER - 10_000;

  it('is counted from 0 in each millisecond in which activities are stamped', () => {
    expect([at, at, at, at + 1].map((ms) => sequenceAt(ms, null))).toEqual([0, 1, 2, 0]);
  });

  it('goes on when the clock goes back', () => {
    expect([at + 10, at + 9, at + 10].map((ms) => sequenceAt(ms, null))).toEqual([0, 1, 2]);
  });

  it('is higher than that of an event which was made and stamped before in the same millisecond', () => {
    const made = sequenceAt(at + 20, nextSequence());
    const stamped = sequenceAt(at + 20, null);
    expect(stamped).toBeGreaterThan(made);
    expect(nextSequence()).toBeGreaterThan(stamped);
  });

  it("is the caller's own, which orders no other activity", () => {
    expect(sequenceAt(at + 30, Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
    expect(sequenceAt(at + 30, null)).toBe(0);
  });
});
