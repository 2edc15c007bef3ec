import { createBoardView } from './board-view.js';
import { formatNumber, formatTime, periodName, remaining, stateName, unitOf } from './format.js';
import { movementsBetween, nameOf } from './movements.js';
import { createPoller } from './poller.js';
import { fetchPoints, fetchStandings } from './standings.js';

const boards = ['day', 'week', 'month', 'all'];
const pollMs = 1_000;
const slowestRetryMs = 10_000;
const firstLimit = 20;
const maxLimit = 100;
const movementsShown = 7;

const at = (id) => document.getElementById(id);
const view = createBoardView(at('board'));

let board = boards.includes(location.hash.slice(1)) ? location.hash.slice(1) : 'day';
let limit = firstLimit;
/** The last standings of the board that is shown, and when they came; null before the first. */
let last = null;
let failures = 0;

const poller = createPoller(async (signal) => {
  const asked = board;
  try {
    const page = await fetchStandings(asked, limit, signal);
    failures = 0;
    show(page);
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    failures += 1;
    showFailure(error.kind ?? 'failed');
    return Math.min(error.retryAfterMs ?? pollMs * 2 ** Math.min(failures - 1, 3), slowestRetryMs);
  }
}, pollMs);

function show(page) {
  const isSamePeriod = last?.page.leaderboard === page.leaderboard && last.page.period.key === page.period.key;
  if (isSamePeriod) {
    addMovements(movementsBetween(last.page, page));
    announce(last.page, page);
  }
  view.draw(page.entries, { fresh: !isSamePeriod });
  last = { page, at: new Date() };
  showConnection('live', 'Live');
  at('notice').hidden = true;
  at('panel').setAttribute('aria-busy', 'false');
  at('panel').classList.remove('stale');
  at('period').textContent = periodName(page.period.key);
  at('state').hidden = false;
  at('state').textContent = stateName(page.period.state);
  at('state').dataset.state = page.period.state;
  at('remaining').textContent = remaining(page.period.end, new Date());
  at('total').textContent = page.total === 1 ? '1 person' : `${formatNumber(page.total)} people`;
  at('empty').hidden = page.total > 0;
  at('more').hidden = page.entries.length >= page.total || limit >= maxLimit;
}

/** What was there stays, and is said to be old. */
function showFailure(kind) {
  const shown = last ? ` These are the standings of ${formatTime(last.at)}.` : '';
  const what = {
    away: 'The points cannot be read at the moment: Redis is away. The community itself goes on.',
    offline: 'The server cannot be reached. This page keeps trying.',
  }[kind];
  at('notice').textContent = `${what ?? 'The standings could not be read. This page keeps trying.'}${shown}`;
  at('notice').hidden = false;
  at('panel').setAttribute('aria-busy', 'false');
  at('panel').classList.add('stale');
  showConnection(kind === 'offline' ? 'offline' : 'away', kind === 'offline' ? 'Offline' : 'Waiting for Redis');
}

function showConnection(state, text) {
  at('connection').dataset.state = state;
  // A status that is said again and again tells a listener nothing.
  if (at('connection-text').textContent !== text) at('connection-text').textContent = text;
}

/** Screen readers hear of a new leader, not of every point. */
function announce(before, after) {
  const [leader] = after.entries;
  if (!leader || before.entries[0]?.userId === leader.userId) return;
  at('announcement').textContent = `${nameOf(leader)} leads with ${leader.score} ${unitOf(leader.score)}.`;
}

function addMovements(movements) {
  if (movements.length === 0) return;
  const list = at('movements');
  const time = formatTime(new Date());
  list.prepend(...movements.slice(0, movementsShown).map((movement) => movementLine(movement, time)));
  while (list.children.length > movementsShown) list.lastElementChild.remove();
  at('movements-empty').hidden = true;
}

function movementLine({ name, points, rank, climbed }, time) {
  const line = document.createElement('li');
  const text = (tag, className, content) => {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = content;
    return element;
  };
  line.append(
    text('span', points > 0 ? 'gain' : 'loss', points > 0 ? `+${points}` : `−${-points}`),
    text('span', 'name', name),
    text('span', 'where', climbed > 0 ? `up to ${rank}` : climbed < 0 ? `down to ${rank}` : `on ${rank}`),
    text('time', 'when', time),
  );
  return line;
}

function select(name, { focus = false } = {}) {
  board = name;
  for (const tab of document.querySelectorAll('[role=tab]')) {
    const isChosen = tab.dataset.board === name;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    if (isChosen && focus) tab.focus();
  }
  at('panel').setAttribute('aria-labelledby', `tab-${name}`);
  at('panel').setAttribute('aria-busy', 'true');
  limit = firstLimit;
  last = null;
  at('empty').hidden = true;
  at('more').hidden = true;
  at('movements').replaceChildren();
  at('movements-empty').hidden = false;
  view.drawLoading(8);
  history.replaceState(null, '', `#${name}`);
  poller.restart();
}

document.querySelector('[role=tablist]').addEventListener('click', ({ target }) => {
  const tab = target.closest('[role=tab]');
  if (tab && tab.dataset.board !== board) select(tab.dataset.board);
});
document.querySelector('[role=tablist]').addEventListener('keydown', (event) => {
  const index = boards.indexOf(board);
  const next = {
    ArrowRight: (index + 1) % boards.length,
    ArrowLeft: (index + boards.length - 1) % boards.length,
    Home: 0,
    End: boards.length - 1,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  select(boards[next], { focus: true });
});
at('more').addEventListener('click', () => {
  limit = Math.min(limit + 40, maxLimit);
  poller.restart();
});
window.addEventListener('hashchange', () => {
  const name = location.hash.slice(1);
  if (boards.includes(name) && name !== board) select(name);
});

async function showRules() {
  const words = {
    view: 'Read a page',
    praise: 'Praise an article',
    collect: 'Collect an article',
    comment: 'Comment on an article',
    publish: 'Publish an article',
    follow: 'Follow someone',
  };
  const actions = await fetchPoints(new AbortController().signal);
  at('rules').replaceChildren(
    ...[...actions]
      .sort((a, b) => b.points - a.points)
      .flatMap(({ action, points }) => {
        const [term, value] = [document.createElement('dt'), document.createElement('dd')];
        term.textContent = words[action] ?? action;
        value.textContent = `+${points}`;
        return [term, value];
      }),
  );
}

select(board);
// Without the table the page still does its work: the next visit may have it.
showRules().catch(() => undefined);
