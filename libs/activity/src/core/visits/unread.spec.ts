import { isFetchedByScript, whyUnread } from './unread';

const request = (headers: Record<string, string | string[]>) => ({ method: 'GET', url: '/', headers });
const why = (headers: Record<string, string | string[]>) => whyUnread(request(headers), (agent) => agent === 'bot');

it.each([
  ['prefetch', { 'sec-purpose': 'prefetch' }],
  ['prefetch', { 'sec-purpose': ['prefetch;anonymous-client-ip'] }],
  ['prefetch', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-dest': 'document' }],
  ['prefetch', { purpose: 'Prefetch' }],
  ['prefetch', { 'x-purpose': 'preview' }],
  ['prefetch', { 'x-moz': 'prefetch' }],
  ['background', { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' }],
  ['background', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'cross-site' }],
  ['background', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }],
  ['bot', { 'user-agent': 'bot' }],
  [null, {}],
  [null, { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'user-agent': 'Firefox' }],
  [null, { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
  [null, { purpose: 'reading' }],
])('whyUnread is %s of %j', (reason, headers) => {
  expect(why(headers)).toBe(reason);
});

it.each([
  [true, { 'sec-fetch-dest': 'empty' }],
  [true, { 'x-requested-with': 'XMLHttpRequest' }],
  [false, { 'sec-fetch-dest': 'document' }],
  // Android's views of the web send the name of their app.
  [false, { 'x-requested-with': 'com.example.community' }],
  [false, {}],
])('isFetchedByScript is %s of %j', (isFetched, headers) => {
  expect(isFetchedByScript(request(headers))).toBe(isFetched);
});
