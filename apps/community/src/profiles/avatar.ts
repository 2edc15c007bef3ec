import { createHash } from 'node:crypto';

/** Numbers drawn from a text, always the same ones: each call gives the next, from 0 to below `below`. */
function drawsFrom(text: string): (below: number) => number {
  const bytes = createHash('sha256').update(text).digest();
  let next = 0;
  return (below) => bytes.readUInt16BE((next++ % 15) * 2) % below;
}

/**
 * A user's picture, an SVG drawn from the user id alone: a face in two colours. It needs no upload and no other host,
 * and is the same everywhere.
 */
export function avatarOf(userId: string): string {
  const draw = drawsFrom(userId);
  const hue = draw(360);
  const skin = (hue + 40 + draw(90)) % 360;
  const tilt = draw(60) - 30;
  const [shiftX, shiftY] = [draw(14) - 7, draw(10) + 2];
  const eyes = 9 + draw(4);
  const mouth = draw(2) === 0 ? 'M33 49 q7 6 14 0' : 'M34 48 a6 6 0 0 0 12 0z';
  const filled = mouth.endsWith('z');
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80" role="img" aria-hidden="true">',
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="hsl(${hue} 62% 46%)"/>`,
    `<stop offset="1" stop-color="hsl(${(hue + 50) % 360} 66% 34%)"/></linearGradient></defs>`,
    '<rect width="80" height="80" fill="url(#g)"/>',
    `<g transform="rotate(${tilt} 40 40) translate(${shiftX} ${shiftY})">`,
    `<rect x="8" y="14" width="64" height="80" rx="${20 + draw(13)}" fill="hsl(${skin} 74% 78%)"/>`,
    `<g fill="hsl(${hue} 45% 18%)"><circle cx="${40 - eyes}" cy="38" r="2.6"/><circle cx="${40 + eyes}" cy="38" r="2.6"/></g>`,
    `<path d="${mouth}" fill="${filled ? `hsl(${hue} 45% 18%)` : 'none'}" stroke="hsl(${hue} 45% 18%)" stroke-width="2" stroke-linecap="round"/>`,
    '</g></svg>',
  ].join('');
}
