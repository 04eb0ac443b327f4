// Keeps a Mac awake and logged in: sleep, a screen saver, a logout or an update in the night ends its VMs (mac-F74).

import type { HostScript } from './script.ts';

/** Values: user. */
export const stayAwake: HostScript = {
  name: 'stay-awake',
  as: 'root',
  body: `
pmset -a sleep 0 displaysleep 0 disksleep 0 autorestart 1
defaults write "$root/Library/Preferences/.GlobalPreferences" com.apple.autologout.AutoLogOutDelay -int 0
sudo -n -H -u "$user" defaults -currentHost write com.apple.screensaver idleTime -int 0
softwareupdate --schedule off >/dev/null
`,
};
