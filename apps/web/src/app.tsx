import { useSignalEffect } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { BoardPage } from './board/board-page';
import { language, messages } from './language/language';
import { Gains } from './points/gains';
import { type PageName, ownPages, pages } from './addresses/pages';
import { Footer } from './shell/footer';
import { Header } from './shell/header';
import { Announcer } from './ui/announcer';
import { Guarded } from './ui/guarded';
import { NotFound } from './ui/not-found';
import { PageMissing } from './ui/page-missing';
import ui from './ui/pieces.module.css';

/** The parameters of pages, by address. */
interface PageParams {
  readonly leaderboard?: string;
  readonly id?: string;
}

/** A page whose program is loaded when it is opened. */
function page(load: () => Promise<FunctionComponent<PageParams>>) {
  return lazy<FunctionComponent<PageParams>>(() => load().catch(() => PageMissing));
}

/** The component of each page. All but the boards are loaded when they are opened. */
const components: Readonly<Record<PageName, FunctionComponent<PageParams>>> = {
  home: BoardPage,
  board: BoardPage,
  articles: page(() => import('./articles/articles-page').then((module) => module.ArticlesPage)),
  article: page(() => import('./articles/article-page').then((module) => module.ArticlePage)),
  write: page(() => import('./articles/write-page').then((module) => module.WritePage)),
  person: page(() => import('./people/person-page').then((module) => module.PersonPage)),
  operators: page(() => import('./operators/operators-page').then((module) => module.OperatorsPage)),
  signIn: page(() => import('./sign-in/sign-in-page').then((module) => module.SignInPage)),
};
const names = Object.keys(pages) as readonly PageName[];

/** From one board to another the focus stays where it is: on the tab that leads there. */
const boards = /^\/(?:$|board\/)/;

/** The whole of what is shown. */
export function App() {
  useSignalEffect(() => {
    document.documentElement.lang = language.value;
  });
  return (
    <LocationProvider scope={ownPages}>
      <Header />
      <Content />
      <Footer />
      <Gains />
      <Announcer />
    </LocationProvider>
  );
}

function Content() {
  const { path } = useLocation();
  const content = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    const before = shown.current;
    if (before === path) return;
    shown.current = path;
    // Readers by ear or keyboard continue at the new page, not where the link had been.
    if (!boards.test(before) || !boards.test(path)) content.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <main class={ui.page} id="content" ref={content} tabIndex={-1} aria-label={messages.value.brand}>
      <Guarded path={path}>
        <Router>
          {/* Without keys: from the first page to another board the page stays. */}
          {names.map((name) => (
            <Route path={pages[name]} component={components[name]} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </Guarded>
    </main>
  );
}
