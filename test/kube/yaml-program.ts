// The Go program on sigs.k8s.io/yaml that says how upstream writes a value: built where asked, and run on many at once.

import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { join } from 'node:path';

const MODULE = join(import.meta.dirname, 'yaml');

/** Go's own caches are where the person's are. */
const environment = () => ({
  ...process.env,
  HOME: userInfo().homedir,
  GOFLAGS: '-mod=readonly -buildvcs=false',
  CGO_ENABLED: '0',
});

/** What the program says of one value: its YAML, or why there is none. */
export interface Written {
  readonly yaml: string;
  readonly error?: string;
}

export function buildYamlProgram(folder: string): string {
  const program = join(folder, 'yaml');
  execFileSync('go', ['build', '-trimpath', '-o', program, '.'], { cwd: MODULE, env: environment(), stdio: 'inherit' });
  return program;
}

/** `values` are JSON texts. */
export function writeWith(program: string, values: readonly string[]): readonly Written[] {
  const output = execFileSync(program, { input: values.join('\n'), encoding: 'utf8', maxBuffer: 2 ** 29 });
  return output
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line));
}
