import type { Diagnosis } from '../redis/diagnosis';
import { faultFinder } from './connection-faults';
import { describedCode, remedyOf } from './remedies';

/** What the core loads when Redis cannot be used. */
export const diagnosis: Diagnosis = { faultFinder, remedyOf, describedCode };
