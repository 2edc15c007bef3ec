import type { LedgerContext } from '../periods/ledger-context';
import type { FactReader } from '../recording/fact-reader';
export class NamedGrants {
  constructor(
    private readonly context: LedgerContext,
    private readonly reader: FactReader,
  ) {}
}
