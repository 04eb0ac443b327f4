// docs/errors.md: every error that Pippin can show, read from the definitions in the code.

import { type ErrorRow, errorRows } from '../test/house/error-codes.ts';
import { readSources } from '../test/house/source.ts';

const HEAD = `# Errors

Every error that Pippin shows has a code. It stands once in the program and once here. This page is written by
\`npm run generate\` from the definitions; \`npm run check\` says when it is stale.

*Tried again* says what a controller does by itself: \`backoff\` after growing delays, \`conflict\` at once, \`never\` not
before its object changes or its timer comes.

| Code | Says | What you can do | Tried again | Defined in |
|---|---|---|---|---|
`;

/** The page as it should be. */
export function errorIndex(): string {
  return HEAD + errorRows(readSources()).map(rowText).join('');
}

function rowText({ code, says, remedy, retry, path }: ErrorRow): string {
  const cells = [`\`${code}\``, cellText(says), cellText(remedy), retry, `\`${path}\``];
  return `| ${cells.join(' | ')} |\n`;
}

/** Angle brackets stand for values and would be read as tags. */
function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(/\s+/g, ' ');
}
