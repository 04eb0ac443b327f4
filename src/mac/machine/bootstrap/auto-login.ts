// Logs the user in on the Mac's console by itself: without a graphical session no VM starts (mac-F74).

import type { HostScript } from './script.ts';

/** Standard input: the content of /etc/kcpassword. Values: user, aqua_seconds. */
export const autoLogin: HostScript = {
  name: 'auto-login',
  as: 'root',
  body: `
umask 077
file="$root/etc/kcpassword"
cat > "$file.new"
cp "$file.new" "$file.sent"
mv "$file.new" "$file"
defaults write "$root/Library/Preferences/com.apple.loginwindow" autoLoginUser -string "$user"
session="gui/$(id -u "$user")"
if ! launchctl print "$session" >/dev/null 2>&1; then
  killall -HUP loginwindow || true
  waited=0
  while [ "$waited" -lt "$aqua_seconds" ] && ! launchctl print "$session" >/dev/null 2>&1; do
    sleep 1
    waited=$((waited + 1))
  done
  launchctl print "$session" >/dev/null 2>&1 || echo "no graphical session after $aqua_seconds s" >&2
fi
# A wrong password is replaced by macOS itself; every VM would then fail for as long as the host lives (mac-F39).
if ! cmp -s "$file" "$file.sent"; then
  rm -f "$file.sent"
  echo 'macOS sealed /etc/kcpassword: the stored sudo password is not the right one' >&2
  exit 3
fi
rm -f "$file.sent"
`,
};

/** The key that macOS has for this file since 10.2; it hides nothing, hence mode 0600. */
const CIPHER = [0x7d, 0x89, 0x52, 0x23, 0xd2, 0xbc, 0xdd, 0xea, 0xa3, 0xb9, 0x1f];
const BLOCK_BYTES = 12;

/** The content of /etc/kcpassword: the password and at least one zero byte, in blocks of twelve. */
export function kcpassword(password: string): Uint8Array {
  const plain = new TextEncoder().encode(password);
  const length = (Math.floor(plain.length / BLOCK_BYTES) + 1) * BLOCK_BYTES;
  return Uint8Array.from({ length }, (_, at) => (plain[at] ?? 0) ^ (CIPHER[at % CIPHER.length] ?? 0));
}
