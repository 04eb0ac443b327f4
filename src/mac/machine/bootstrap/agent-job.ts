// The launchd job of the agent: written, (re)started, and only good when a new process stays up (mac-F70).

import type { HostScript } from './script.ts';

/** Upstream's label: on a Mac that its agent ran, this job takes the other's place. */
export const AGENT_LABEL = 'dev.tuist.tart-kubelet';

/** Stands for the root variable in the job's file. */
export const ROOT_MARK = '@ROOT@';

/** What the agent writes: files for its guests where upstream's agent has them too, and notes of its own. */
export const USER_DATA_DIR = '/var/lib/tart-userdata';
export const STATE_DIR = '/var/lib/pippin';

/** Standard input: the job's file. Values: label, user, settle_seconds. */
export const agentJob: HostScript = {
  name: 'agent-job',
  as: 'root',
  body: `
plist="$root/Library/LaunchDaemons/$label.plist"
log="$root/var/log/tart-kubelet.log"
mkdir -p "$root/Library/LaunchDaemons" "$root/var/log"
# The job runs as the user: what it writes must be there and the user's before it starts.
for each in "$root${USER_DATA_DIR}" "$root${STATE_DIR}"; do
  mkdir -p "$each"
  chmod 0700 "$each"
  chown "$user" "$each"
done
touch "$log"
chown "$user" "$log"
sed "s|${ROOT_MARK}|$root|g" > "$plist.new"
chown root:wheel "$plist.new"
pid_now() { launchctl print "system/$label" 2>/dev/null | sed -n 's/^[[:space:]]*pid = \\([0-9][0-9]*\\)$/\\1/p'; }
old=$(pid_now)
if [ -n "$old" ] && [ -f "$plist" ] && cmp -s "$plist.new" "$plist"; then
  rm -f "$plist.new"
  launchctl kickstart -k "system/$label"
else
  mv "$plist.new" "$plist"
  launchctl bootout "system/$label" 2>/dev/null || true
  # The job leaves some time after the command has ended; until then it cannot come back.
  left=20
  while [ "$left" -gt 0 ] && launchctl print "system/$label" >/dev/null 2>&1; do
    sleep 1
    left=$((left - 1))
  done
  launchctl bootstrap system "$plist"
fi
stays_up() {
  tries=20
  while [ "$tries" -gt 0 ]; do
    pid=$(pid_now)
    if [ -n "$pid" ] && [ "$pid" != "$old" ]; then
      sleep "$settle_seconds"
      if [ "$(pid_now)" = "$pid" ]; then return 0; fi
    fi
    sleep 1
    tries=$((tries - 1))
  done
  return 1
}
if stays_up; then exit 0; fi
launchctl kickstart -k "system/$label" || true
if stays_up; then exit 0; fi
echo "the agent does not stay up; its last lines:" >&2
tail -n 5 "$log" >&2 || true
exit 5
`,
};

export interface AgentJob {
  /** The agent's user. */
  readonly user: string;
  /** Flags of the agent; paths in them begin with `ROOT_MARK`. */
  readonly flags: readonly string[];
}

/** The job's file. It holds no secret: the identity is in the kubeconfig. */
export function agentPlist({ user, flags }: AgentJob): string {
  const program = [`${ROOT_MARK}/usr/local/lib/pippin/current/agent`, ...flags];
  const log = `${ROOT_MARK}/var/log/tart-kubelet.log`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${AGENT_LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${program.map(each => `    <string>${xml(each)}</string>\n`).join('')}  </array>
  <key>UserName</key><string>${xml(user)}</string>
  <key>EnvironmentVariables</key>
  <dict>
    <key>HOME</key><string>${ROOT_MARK}/Users/${xml(user)}</string>
    <key>PATH</key><string>/usr/bin:/bin:/usr/sbin:/sbin</string>
  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>ThrottleInterval</key><integer>10</integer>
  <key>StandardOutPath</key><string>${log}</string>
  <key>StandardErrorPath</key><string>${log}</string>
</dict>
</plist>
`;
}

function xml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
