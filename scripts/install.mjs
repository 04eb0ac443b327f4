// Decides whether what is installed is what package-lock.json says, and installs it when it is not. Runs on Node 20;
// one that can run the program says where it is.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';

const nameOf = path => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const readJson = path => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);

/** Why an installation is due; undefined when nothing is missing or stale. `installed` is npm's own record of it. */
function whyInstall(locked, installed) {
  if (installed === undefined) return 'nothing is installed yet';
  for (const [path, wanted] of Object.entries(locked.packages)) {
    if (path === '') continue;
    const found = installed.packages[path];
    // Optional packages of other platforms are locked, but never installed.
    if (found === undefined && !wanted.optional) return `${nameOf(path)} is missing`;
    if (found !== undefined && found.version !== wanted.version) {
      return `${nameOf(path)} is ${found.version}, locked is ${wanted.version}`;
    }
  }
  return undefined;
}

/** npm runs on the Node that started us: `npm ci` deletes the one under node_modules. */
function npmCommand() {
  const { npm_execpath: npmCli = '' } = process.env;
  return basename(npmCli) === 'npm-cli.js' ? [process.execPath, npmCli] : ['npm'];
}

function install(why) {
  process.stderr.write(`Installing the locked dependencies (${why}) ...\n`);
  const [command, ...first] = npmCommand();
  const args = [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm's own output goes to standard error: standard output belongs to the program that starts next.
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2] });
  if (status === 0) return 0;
  const how = error === undefined ? `ended with ${status}` : `did not start (${error.message})`;
  process.stderr.write(
    `error: the dependencies could not be installed: npm ci ${how}\n` +
      'remedy: npm says why above; most often the registry cannot be reached. Then run this again\n',
  );
  return 1;
}

const why = whyInstall(readJson('package-lock.json'), readJson('node_modules/.package-lock.json'));
if (why !== undefined) process.exitCode = install(why);

// To start another Node that asks this one whether it runs TypeScript would be a tenth of a start.
const runsTypeScript = Number.parseInt(process.versions.node, 10) >= 24 && Boolean(process.features.typescript);
if (runsTypeScript) process.stdout.write(`${process.execPath}\n`);
