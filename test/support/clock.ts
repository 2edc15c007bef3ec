export { ManualClock } from '@laurel/testing/manual-clock';

export const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
