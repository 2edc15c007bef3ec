import { useLocation } from 'preact-iso';
import { MonthPanel } from '../board/month-panel';
import { isCategory } from '../language/categories';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import '../styles/forms.css';
import '../styles/articles.css';
import { CategoryChoice } from '../ui/category-choice';
import { usePageTitle } from '../ui/use-page-title';
import { ArticleList } from './article-list';
import { articlesAsked } from './articles';
import { pathOf, withQuery } from '../addresses/pages';

/** What the community wrote, the newest first. */
export function ArticlesPage() {
  const { articles: words, nav, categoryNames, category: ofCategory } = messages.value;
  const { query } = useLocation();
  const category = isCategory(query.category) ? query.category : undefined;
  const list = useResource(articlesAsked({ state: 'published', category }));
  usePageTitle(category === undefined ? words.title : `${words.title} · ${categoryNames[category]}`);

  return (
    <div class="beside">
      <div class="reading">
        <div class="reading-head">
          <h1>{words.title}</h1>
          <p class="quiet">{words.intro}</p>
          <a class="button" href={pathOf('write')}>
            {nav.write}
          </a>
        </div>
        <CategoryChoice chosen={category} pathTo={(chosen) => withQuery(pathOf('articles'), { category: chosen })} />
        {!list.value && !list.fault && <p class="quiet">{words.loading}</p>}
        <ArticleList
          list={list}
          read={(cursor) => articlesAsked({ state: 'published', category, cursor }).read()}
          empty={category === undefined ? words.empty : ofCategory.noArticles(categoryNames[category])}
          more={words.more}
        />
      </div>
      <MonthPanel />
    </div>
  );
}
