// The guide for other people's tests, as tests run it: its code blocks by language, and its command lines.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/testing.md'), 'utf8');

const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

export interface Example {
  /** What its first line names. */
  readonly file: string;
  readonly text: string;
}

/** The one example in that language. */
export function exampleIn(language: 'js' | 'ts' | 'go'): Example {
  const [text = '', ...others] = blocks(language);
  const file = /^\/\/ (\S+)\n/.exec(text)?.[1];
  if (file === undefined || others.length > 0) throw new Error(`the guide has not one named example in ${language}`);
  return { file, text };
}

/** What a reader types, block by block. */
export const guideCommands = (): readonly string[][] => blocks('sh').map(block => block.trimEnd().split('\n'));
