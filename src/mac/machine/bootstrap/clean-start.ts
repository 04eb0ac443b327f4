// Ends every VM that an earlier user of a rented Mac left behind, the old agent first (safe-11).

import type { HostScript } from './script.ts';

/** Values: user, label. Prints how many VMs it removed. Fails unless none is left. */
export const cleanStart: HostScript = {
  name: 'clean-start',
  as: 'root',
  body: `
launchctl bootout "system/$label" 2>/dev/null || true
left=20
while [ "$left" -gt 0 ] && launchctl print "system/$label" >/dev/null 2>&1; do
  sleep 1
  left=$((left - 1))
done
if launchctl print "system/$label" >/dev/null 2>&1; then
  echo 'the old agent does not end' >&2
  exit 6
fi
tart="$root/usr/local/bin/tart"
as_user() { sudo -n -H -u "$user" "$tart" "$@"; }
removed=0
if [ -x "$tart" ]; then
  names=$(as_user list --source local --quiet)
  for vm in $names; do
    as_user stop "$vm" --timeout 10 >/dev/null 2>&1 || true
    as_user delete "$vm"
    removed=$((removed + 1))
  done
  if [ -n "$(as_user list --source local --quiet)" ]; then
    echo 'VMs are left that tart does not delete' >&2
    exit 6
  fi
fi
# A VM of another user or another TART_HOME is in no list; its process is there all the same.
if pgrep -f 'tart.* run ' >/dev/null; then
  pkill -9 -f 'tart.* run ' || true
  sleep 1
  if pgrep -f 'tart.* run ' >/dev/null; then
    echo 'a VM process does not end' >&2
    exit 6
  fi
fi
# What was staged for those VMs holds their secrets.
rm -rf "$root/var/lib/tart-userdata"
echo "$removed"
`,
};
