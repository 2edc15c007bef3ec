import { useLocation } from 'preact-iso';
import { MonthPanel } from '../board/month-panel';
import { isCategory } from '../language/categories';
import { messages } from '../language/language';
import { useResource } from '../resource/use-resource';
import { CategoryChoice } from '../ui/category-choice';
import { usePageTitle } from '../ui/use-page-title';
import { ArticleList } from './article-list';
import { articlesQuery } from './articles';
import { pathOf, withQuery } from '../addresses/pages';
import { classes } from '../ui/classes';
import ui from '../ui/pieces.module.css';
import reading from './reading.module.css';
import styles from './articles-page.module.css';

/** The community's articles, the newest first. */
export function ArticlesPage() {
  const { articles: words, nav, categoryNames, category: ofCategory } = messages.value;
  const { query } = useLocation();
  const category = isCategory(query.category) ? query.category : undefined;
  const list = useResource(articlesQuery({ state: 'published', category }));
  usePageTitle(category === undefined ? words.title : `${words.title} · ${categoryNames[category]}`);

  return (
    <div class={ui.beside}>
      <div class={reading.reading}>
        <div class={styles.head}>
          <h1>{words.title}</h1>
          <p class={classes(ui.quiet, styles.intro)}>{words.intro}</p>
          <a class={classes(ui.button, styles.write)} href={pathOf('write')}>
            {nav.write}
          </a>
        </div>
        <CategoryChoice
          class={styles.choice}
          chosen={category}
          pathTo={(chosen) => withQuery(pathOf('articles'), { category: chosen })}
        />
        {!list.value && !list.fault && <p class={ui.quiet}>{words.loading}</p>}
        <ArticleList
          list={list}
          read={(cursor) => articlesQuery({ state: 'published', category, cursor }).read()}
          empty={category === undefined ? words.empty : ofCategory.noArticles(categoryNames[category])}
          more={words.more}
        />
      </div>
      <MonthPanel />
    </div>
  );
}
