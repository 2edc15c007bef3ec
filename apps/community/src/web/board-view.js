import { formatMoment, formatNumber, unitOf } from './format.js';
import { nameOf } from './movements.js';

const template = document.getElementById('entry-template');
const calm = window.matchMedia('(prefers-reduced-motion: reduce)');

/** Draws a board's entries into a list: lines that stay are kept, and glide to where they now belong. */
export function createBoardView(list) {
  const lines = new Map();

  function lineOf(userId) {
    let line = lines.get(userId);
    if (!line) {
      line = template.content.firstElementChild.cloneNode(true);
      line.dataset.userId = userId;
      lines.set(userId, line);
    }
    return line;
  }

  /** @param fresh whether this is another board, or the first look: nothing glides then. */
  function draw(entries, { fresh }) {
    const moves = fresh || calm.matches ? null : positions();
    if (fresh) clear();
    list.classList.remove('loading');
    const shown = new Set(entries.map(({ userId }) => userId));
    for (const [userId, line] of lines) {
      if (shown.has(userId)) continue;
      line.remove();
      lines.delete(userId);
    }
    entries.forEach((entry, index) => {
      const line = lineOf(entry.userId);
      fill(line, entry, index, isTied(entries, index));
      // Moving a node loses its focus and hover: only those out of place move.
      if (list.children[index] !== line) list.insertBefore(line, list.children[index] ?? null);
    });
    if (moves) glide(moves);
  }

  function clear() {
    lines.clear();
    list.replaceChildren();
  }

  /** Grey lines while there is nothing to show yet. */
  function drawLoading(count) {
    clear();
    list.classList.add('loading');
    for (let index = 0; index < count; index += 1) {
      const line = template.content.firstElementChild.cloneNode(true);
      line.querySelector('.avatar').remove();
      line.dataset.place = String(index + 1);
      line.setAttribute('aria-hidden', 'true');
      list.append(line);
    }
  }

  function positions() {
    return new Map([...lines.values()].map((line) => [line, line.getBoundingClientRect()]));
  }

  function glide(before) {
    for (const line of lines.values()) {
      const now = line.getBoundingClientRect();
      const then = before.get(line);
      if (!then) {
        line.animate(
          [
            { opacity: 0, transform: 'translateY(12px)' },
            { opacity: 1, transform: 'none' },
          ],
          { duration: 450, easing: 'ease-out' },
        );
        continue;
      }
      const [dx, dy] = [then.left - now.left, then.top - now.top];
      if (Math.abs(dx) < 1 && Math.abs(dy) < 1) continue;
      // Who climbs passes in front of who falls.
      const zIndex = dy > 0 ? 2 : 1;
      line.animate(
        [
          { transform: `translate(${dx}px, ${dy}px)`, zIndex },
          { transform: 'none', zIndex },
        ],
        { duration: 700, easing: 'cubic-bezier(.22, 1, .36, 1)' },
      );
    }
  }

  function fill(line, entry, index, tied) {
    const score = line.querySelector('.score');
    const old = line.dataset.score === undefined ? null : Number(line.dataset.score);
    line.dataset.place = String(index + 1);
    line.dataset.score = String(entry.score);
    line.classList.toggle('tied', tied);
    line.querySelector('.rank').textContent = String(entry.rank);
    line.querySelector('.name').textContent = nameOf(entry);
    fillTitle(line.querySelector('.title'), entry.title);
    line.querySelector('.unit').textContent = unitOf(entry.score);
    score.textContent = formatNumber(entry.score);
    fillPlaces(line.querySelector('.places'), entry.change);
    fillReached(line.querySelector('.reached'), entry, tied);
    fillAvatar(line, entry);
    if (old !== null && entry.score !== old) flash(line, entry.score - old);
  }

  return { draw, drawLoading };
}

function isTied(entries, index) {
  const { score } = entries[index];
  return entries[index - 1]?.score === score || entries[index + 1]?.score === score;
}

/** What the user is called for what he did, as text: rules may be made from anything. */
function fillTitle(badge, title) {
  badge.hidden = !title;
  badge.textContent = title?.name ?? '';
}

/** Places won or lost since the period before; nothing for who is new, or stands where he stood. */
function fillPlaces(places, change) {
  places.hidden = !change;
  if (!change) return;
  const count = Math.abs(change);
  places.dataset.direction = change > 0 ? 'up' : 'down';
  places.textContent = `${change > 0 ? '▲' : '▼'} ${formatNumber(count)}`;
  places.title = `${formatNumber(count)} ${count === 1 ? 'place' : 'places'} ${change > 0 ? 'up' : 'down'} since the period before`;
  places.setAttribute('role', 'img');
  places.setAttribute('aria-label', places.title);
}

function fillReached(time, { reachedAt }, tied) {
  time.hidden = reachedAt === null;
  if (reachedAt === null) return;
  time.dateTime = reachedAt;
  time.textContent = `${tied ? 'level, since' : 'since'} ${formatMoment(reachedAt, new Date())}`;
}

function fillAvatar(line, entry) {
  const avatar = line.querySelector('.avatar');
  const portrait = line.querySelector('.portrait');
  const url = ownUrl(entry.user?.avatarUrl);
  portrait.classList.toggle('missing', url === null);
  portrait.dataset.initial = [...nameOf(entry)][0]?.toUpperCase() ?? '';
  avatar.hidden = url === null;
  if (url !== null && avatar.getAttribute('src') !== url) avatar.src = url;
}

/** Pictures come from this app alone, whatever a profile says. */
function ownUrl(url) {
  return typeof url === 'string' && url.startsWith('/') && !url.startsWith('//') ? url : null;
}

function flash(line, change) {
  const chip = document.createElement('span');
  chip.className = change > 0 ? 'change gain' : 'change loss';
  chip.textContent = change > 0 ? `+${change}` : `−${-change}`;
  chip.setAttribute('aria-hidden', 'true');
  line.querySelector('.change')?.remove();
  line.querySelector('.points').append(chip);
  chip.addEventListener('animationend', () => chip.remove());
}
