import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that lie directly in a folder, with their text. */
function filesIn(folder: string): { readonly name: string; readonly text: string }[] {
  return readdirSync(join(__dirname, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
    .map(({ name }) => ({ name, text: readFileSync(join(__dirname, folder, name), 'utf8') }));
}

const folders = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ folder: name, files: filesIn(name) }));

/** What users have; what operators have is no feature. */
const features = folders.filter(
  ({ folder, files }) => folder !== 'operations' && files.some(({ name }) => name.endsWith('.controller.ts')),
);

/** Of the files of all features, those of which a text is said, by another kind of file than it may be said in. */
const saying = (text: RegExp, kinds: RegExp) =>
  features.flatMap(({ folder, files }) =>
    files.filter((file) => text.test(file.text) && !kinds.test(file.name)).map(({ name }) => `${folder}/${name}`),
  );

describe('the features of the community', () => {
  it('are those that the README names', () => {
    const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
    const [, named = ''] = /^((?:[a-z]+\/ )+) +the features$/m.exec(readme) ?? [];
    expect(features.map(({ folder }) => `${folder}/`).sort()).toEqual(named.trim().split(' ').sort());
  });

  it('have one module each, named as the folder, which the community imports', () => {
    const community = readFileSync(join(__dirname, 'community.module.ts'), 'utf8');
    for (const { folder, files } of features) {
      const modules = files.filter(({ text }) => /^@Module\(/m.test(text)).map(({ name }) => name);
      expect(modules).toEqual([`${folder}.module.ts`]);
      expect(community).toContain(`'./${folder}/${folder}.module'`);
    }
  });

  it('have controllers that ask services, and know nothing of the database', () => {
    expect(saying(/^@Controller\(/m, /\.controller\.ts$/)).toEqual([]);
    const controllers = features.flatMap(({ files }) => files.filter(({ name }) => name.endsWith('.controller.ts')));
    for (const { name, text } of controllers) {
      expect([name, /from '(?:drizzle-orm|pg|\.\.\/database)/.test(text)]).toEqual([name, false]);
    }
  });

  it('check what requests hold in *.dto.ts, and say what answers hold in *.responses.ts', () => {
    expect(saying(/from 'class-validator'/, /\.dto\.ts$/)).toEqual([]);
    expect(saying(/@ApiProperty/, /\.(?:dto|responses)\.ts$/)).toEqual([]);
  });

  it('announce what they change by services alone', () => {
    expect(saying(/^import \{[^}]*\bOutbox\b[^}]*\} from/m, /\.service\.ts$/)).toEqual([]);
  });
});
