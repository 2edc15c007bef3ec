import { useSignalEffect } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { BoardPage } from './board/board-page';
import { language, messages } from './language/language';
import { Gains } from './points/gains';
import { Footer } from './shell/footer';
import { Header } from './shell/header';
import { Announcer } from './ui/announcer';
import { Guarded } from './ui/guarded';
import { NotFound } from './ui/not-found';
import { PageMissing } from './ui/page-missing';

const ArticlesPage = page(() => import('./articles/articles-page').then((module) => module.ArticlesPage));
const ArticlePage = page(() => import('./articles/article-page').then((module) => module.ArticlePage));
const WritePage = page(() => import('./articles/write-page').then((module) => module.WritePage));
const PersonPage = page(() => import('./people/person-page').then((module) => module.PersonPage));
const OperatorsPage = page(() => import('./operators/operators-page').then((module) => module.OperatorsPage));
const SignInPage = page(() => import('./sign-in/sign-in-page').then((module) => module.SignInPage));

/** A page whose program is loaded when it is opened. */
function page<Props>(load: () => Promise<FunctionComponent<Props>>) {
  return lazy<FunctionComponent<Props>>(() => load().catch(() => PageMissing));
}

/** Our own pages; other addresses of this host, such as the API's, are left to the browser. */
const ownPages = /^\/(?:$|[?#]|board|read|write|people|operators|sign-in)/;

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
    // Who reads by ear or keyboard goes on at the new page, not where the link had been.
    if (!boards.test(before) || !boards.test(path)) content.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <main id="content" ref={content} tabIndex={-1} aria-label={messages.value.brand}>
      <Guarded path={path}>
        <Router>
          <Route path="/" component={BoardPage} />
          <Route path="/board/:leaderboard" component={BoardPage} />
          <Route path="/read" component={ArticlesPage} />
          <Route path="/read/:id" component={ArticlePage} />
          <Route path="/write" component={WritePage} />
          <Route path="/people/:id" component={PersonPage} />
          <Route path="/operators" component={OperatorsPage} />
          <Route path="/sign-in" component={SignInPage} />
          <Route default component={NotFound} />
        </Router>
      </Guarded>
    </main>
  );
}
