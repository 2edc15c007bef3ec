import { resolveTitles } from './titles.options';

it.each([
  [{ cacheMs: -1 }, 'TitlesModule.cacheMs is -1: use a whole number from 0 to 60000'],
  [{ timeoutMs: 0 }, 'TitlesModule.timeoutMs is 0: use a whole number from 1 to 10000'],
  [{ rules: [] }, 'TitlesModule.rules is unknown: there are cacheMs, timeoutMs, settledPlaces'],
])('resolveTitles refuses %j by its name and value', (options: object, message) => {
  expect(() => resolveTitles(options)).toThrow(message);
});
