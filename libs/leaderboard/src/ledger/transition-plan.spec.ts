import { scripts } from '../scripts/scripts.generated';
import { TransitionPlan } from './transition-plan';

describe('the plan of a call', () => {
  it('names the keys and arguments that record-transitions.lua names, in its order', () => {
    expect(scripts.recordTransitions.keys).toEqual(TransitionPlan.keyNames);
    expect(scripts.recordTransitions.args).toEqual(TransitionPlan.argNames);
  });
});
