export { ManualClock } from '@laurel/testing/manual-clock';

export const [hourMs, dayMs] = [3_600_000, 86_400_000];
