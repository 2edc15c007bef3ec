import type { TitleFacts } from '../title-facts';
import type { Title } from '../../core/extensions/title-source';
import { TitleRule } from '../title-rule';

/** The one who commented most often in the period. */
@TitleRule({ order: 300, needs: ['first:given:comment'] })
export class BusiestCommenter implements TitleRule {
  title(facts: TitleFacts): Title | null {
    return facts.isFirst('given:comment') ? { id: 'busiest-commenter', name: 'Busiest commenter' } : null;
  }
}
