// What a file must be: about one thing, short, opened by a sentence, and named for what it is.

import { type Finding, fileRule, type Rule } from '../rule.ts';
import { isGenerated, isTest, type SourceFile } from '../source.ts';

const MAX_LINES = 300;
const MAX_TEST_LINES = 400;

export const lengths = fileRule('lengths', `files have at most ${MAX_LINES} lines, tests ${MAX_TEST_LINES}`, file => {
  if (isGenerated(file)) return [];
  const most = isTest(file) ? MAX_TEST_LINES : MAX_LINES;
  const count = file.text.split('\n').length - 1;
  return count <= most ? [] : [at(file, 1, `${count} lines, ${most} at most: split it by what it decides`)];
});

const MAX_FUNCTION_LINES = 60;

/** Functions of a test file hold many small ones: only its tests and the program are measured. */
export const functions = fileRule('functions', `a function fits a screen: ${MAX_FUNCTION_LINES} lines`, file => {
  if (isGenerated(file) || isTest(file)) return [];
  return file.nodes.flatMap(({ node }) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return [];
    const first = file.lineAt(node.start);
    const count = file.lineAt(node.end) - first + 1;
    const says = `a function of ${count} lines, ${MAX_FUNCTION_LINES} at most: name its steps and make each a function`;
    return count <= MAX_FUNCTION_LINES ? [] : [at(file, first, says)];
  });
});

export const opening = fileRule('opening', 'a file opens with a sentence that says what it decides', file => {
  if (isGenerated(file) || isTest(file) || opensWithSentence(file)) return [];
  return [at(file, 1, 'open the file with a comment: one sentence, ended by a full stop, on what it decides or holds')];
});

function opensWithSentence({ text, comments }: SourceFile): boolean {
  const start = text.startsWith('#!') ? text.indexOf('\n') + 1 : 0;
  if (!text.startsWith('//', start) && !text.startsWith('/**', start)) return false;
  const words: string[] = [];
  let line = comments[0]?.line ?? 0;
  for (const comment of comments) {
    if (comment.line !== line) break;
    words.push(comment.text.replaceAll(/^\s*\* ?/gm, '').trim());
    line += comment.text.split('\n').length;
  }
  const sentence = words.join(' ');
  return sentence.split(/\s+/).length >= 4 && /[.:?]/.test(sentence);
}

const EMPTY_WORDS = /^(utils?|helpers?|managers?|commons?|misc)$/;

/** Commands that users type; the word is Kubernetes'. */
const COMMAND_NAMES = new Set(['src/cli/manager.ts', 'src/cli/manager.test.ts']);

export const names: Rule = {
  name: 'names',
  holds: 'files and folders are named for what they are',
  check: ({ texts }) =>
    texts.flatMap(({ path }): Finding[] => {
      const word = path.split(/[/._-]/).find(part => EMPTY_WORDS.test(part.toLowerCase()));
      if (word === undefined || COMMAND_NAMES.has(path)) return [];
      return [
        { path, line: 1, says: `"${word}" says nothing: name the file for the one thing that it decides or holds` },
      ];
    }),
};

const at = ({ path }: SourceFile, line: number, says: string): Finding => ({ path, line, says });
