import { Writable } from 'node:stream';
import { startProgress } from './progress';

function collected(): { readonly err: Writable; readonly text: () => string } {
  const lines: string[] = [];
  const err = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return { err, text: () => lines.join('') };
}

it('progress in plain lines names the total of now where more is to be done than was known', () => {
  const { err, text } = collected();
  const progress = startProgress({ out: err, err }, 'Verifying', 269);
  progress.update(250, 269);
  progress.update(2_215, 2_215);
  expect(text()).toBe('Verifying: 250 of 269\nVerifying: 2,215 of 2,215\n');
});
