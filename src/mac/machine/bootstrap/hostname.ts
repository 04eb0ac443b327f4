// Gives the Mac its machine's name, so that people see the same name everywhere.

import type { HostScript } from './script.ts';

/** Values: name. */
export const hostname: HostScript = {
  name: 'hostname',
  as: 'root',
  body: `
scutil --set ComputerName "$name"
scutil --set HostName "$name"
# A local name is one DNS label.
scutil --set LocalHostName "$(printf '%s' "$name" | tr . -)"
`,
};
