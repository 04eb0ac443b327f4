// Changes one line of our code while it is loaded: `node --import` this file with the mutant in the environment.

import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { apiMutants } from './api/mutants.ts';
import { mutants } from './mutants.ts';

const wanted = [...mutants, ...apiMutants].find(({ name }) => name === process.env.PIPPIN_MUTANT);
if (wanted === undefined) throw new Error(`no mutant is called "${process.env.PIPPIN_MUTANT}"`);
const { file, line, instead } = wanted;
let isInPlace = false;
process.once('exit', () => {
  if (!isInPlace) process.stderr.write(`${file} was never loaded\n`);
});

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith('file:') || !fileURLToPath(url).endsWith(`/${file}`)) return loaded;
    const source =
      typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source ?? undefined);
    if (source.split(line).length !== 2) throw new Error(`${file} does not hold this text exactly once: ${line}`);
    isInPlace = true;
    return { ...loaded, source: source.replace(line, () => instead) };
  },
});
