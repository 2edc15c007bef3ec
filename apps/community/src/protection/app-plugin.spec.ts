import fastify from 'fastify';
import { appPlugin } from './app-plugin';

describe('plugins of the app', () => {
  it('run their hooks on every route, in the order in which they are registered', async () => {
    const app = fastify();
    const ran: string[] = [];
    const telling = (name: string, needed: readonly string[] = []) =>
      appPlugin(name, needed, () => {
        app.addHook('onRequest', (_request, _reply, done) => {
          ran.push(name);
          done();
        });
      });
    await app.register(telling('first'));
    await app.register(telling('second', ['first']));
    app.get('/', () => 'well');
    expect((await app.inject('/')).body).toBe('well');
    expect(ran).toEqual(['first', 'second']);
    expect([app.hasPlugin('first'), app.hasPlugin('second')]).toEqual([true, true]);
    await app.close();
  });

  it('are refused before those that they need', async () => {
    const app = fastify();
    await expect(app.register(appPlugin('second', ['first'], () => undefined))).rejects.toThrow(/'first'/);
    await app.close();
  });
});
