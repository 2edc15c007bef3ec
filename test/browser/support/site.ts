import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { TestCommunity } from '../../community/support/community';
import { openPage, type PageOptions, startBrowser } from './browser';

/** The community, listening, and a browser to look at it. Both are there from the suite's first test to its last. */
export interface Site {
  readonly community: TestCommunity;
  readonly browser: Browser;
  /** With a slash at its end. */
  readonly url: string;
  /** Opens one of its pages, in a profile of its own; after the test it is closed, and has complained of nothing. */
  open(path?: string, options?: PageOptions): ReturnType<typeof openPage>;
}

type Options = Parameters<typeof TestCommunity.start>;

/** Starts both. Called in a `describe`; `options` is asked before the first test. */
export function ownSite(options: () => Options[0] = () => ({}), own: Options[1] = {}): Site {
  let started: Pick<Site, 'community' | 'browser' | 'url'> | undefined;
  const complaints: string[] = [];
  beforeAll(async () => {
    const community = await TestCommunity.start(options(), own);
    await community.app.listen(0, '127.0.0.1');
    const { port } = community.app.getHttpServer().address() as AddressInfo;
    started = { community, browser: await startBrowser(), url: `http://127.0.0.1:${port}/` };
  });
  afterEach(async () => {
    for (const context of running().browser.contexts()) await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await started?.browser.close();
    await started?.community.stop();
  });
  const running = () => {
    if (!started) throw new Error('A site is there in tests and hooks alone.');
    return started;
  };
  return {
    get community() {
      return running().community;
    },
    get browser() {
      return running().browser;
    },
    get url() {
      return running().url;
    },
    open: (path = '', asked = {}) => openPage(running().browser, running().url + path, { complaints, ...asked }),
  };
}
