import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const kinds = /\.(js|css|html|svg)$/;
/** Smaller files travel in one packet as they are. */
const worthwhileBytes = 1_024;

/** Puts a `.gz` and a `.br` beside each text file of the build, so that the server has nothing to compress. */
export function compressed() {
  let folder = '';
  return {
    name: 'laurel-compressed',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir;
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true });
      await Promise.all(files.filter((file) => kinds.test(file)).map((file) => compress(join(folder, file))));
    },
  };
}

async function compress(path) {
  const content = await readFile(path);
  if (content.length < worthwhileBytes) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
}
