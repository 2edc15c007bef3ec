export { ManualClock } from '@laurel/testing/manual-clock';
