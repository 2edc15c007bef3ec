import type { TitleFacts } from '../title-facts';
import type { Title } from '../../core/extensions/title-source';
import { TitleRule } from '../title-rule';

/** The one whose subjects were praised most often in the period. */
@TitleRule({ order: 100, needs: ['first:received:praise'] })
export class MostPraised implements TitleRule {
  title(facts: TitleFacts): Title | null {
    return facts.isFirst('received:praise') ? { id: 'most-praised', name: 'Most praised' } : null;
  }
}
