import { Injectable } from '@nestjs/common';
import { Histories } from '../../recording/histories';
import type { ResolvedRule } from '../../rules/rule';
import { RulesInForce } from '../../rules/rules-in-force';

/** The rules of today and of all before them: what was recorded by any of them may stand. */
@Injectable()
export class RulesEver {
  constructor(
    private readonly histories: Histories,
    private readonly inForce: RulesInForce,
  ) {}

  /**
   * Those that points were ever granted by, the first first, then those in force. One round trip.
   * @throws ActivityError `unavailable`
   */
  async find(): Promise<readonly ResolvedRule[]> {
    const versions = await this.histories.ruleVersions();
    return [...versions.flatMap(({ rules }) => rules), ...this.inForce.book.rules];
  }
}
