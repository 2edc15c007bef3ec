import type { TitleFacts } from '../title-facts';
import type { Title } from '../../core/extensions/title-source';
import { TitleRule } from '../title-rule';

/** The one who gained most followers in the period. */
@TitleRule({ order: 200, needs: ['first:received:follow'] })
export class MostFollowed implements TitleRule {
  title(facts: TitleFacts): Title | null {
    return facts.isFirst('received:follow') ? { id: 'most-followed', name: 'Most followed' } : null;
  }
}
