// Puts tart and the agent on a Mac: beside what runs now, never over it (mac-F69), and named by digest.

import type { HostScript } from './script.ts';

/** Prints the digests of what is installed: tart's on the first line, the agent's on the second; empty where nothing is. */
export const installedBundles: HostScript = {
  name: 'installed-bundles',
  as: 'user',
  body: `
lib="$root/usr/local/lib"
for each in "$lib/tart.digest" "$lib/pippin/digest"; do
  if [ -f "$each" ]; then cat "$each"; else echo; fi
done
`,
};

/** Standard input: a gzipped tar of tart.app. Values: digest. */
export const tartBundle: HostScript = {
  name: 'tart',
  as: 'root',
  body: `
lib="$root/usr/local/lib"
fresh="$lib/tart.new"
mkdir -p "$lib" "$root/usr/local/bin"
rm -rf "$fresh"
mkdir "$fresh"
tar -xzf - -C "$fresh"
[ -x "$fresh/tart.app/Contents/MacOS/tart" ]
# VMs that run keep the old files open: they are set aside until the next time.
rm -rf "$lib/tart.old"
if [ -e "$lib/tart.app" ]; then mv "$lib/tart.app" "$lib/tart.old"; fi
mv "$fresh/tart.app" "$lib/tart.app"
rm -rf "$fresh"
wrapper="$root/usr/local/bin/tart"
printf '#!/bin/sh\\nexec "%s/tart.app/Contents/MacOS/tart" "$@"\\n' "$lib" > "$wrapper.new"
chmod 0755 "$wrapper.new"
mv "$wrapper.new" "$wrapper"
printf '%s\\n' "$digest" > "$lib/tart.digest"
`,
};

/** Standard input: a gzipped tar with an executable `agent` at its top. Values: digest. */
export const agentBundle: HostScript = {
  name: 'agent',
  as: 'root',
  body: `
lib="$root/usr/local/lib/pippin"
version="agent-$digest"
mkdir -p "$lib"
rm -rf "$lib/fresh"
mkdir "$lib/fresh"
tar -xzf - -C "$lib/fresh"
[ -x "$lib/fresh/agent" ]
rm -rf "\${lib:?}/$version"
mv "$lib/fresh" "$lib/$version"
ln -sfn "$version" "$lib/current"
printf '%s\\n' "$digest" > "$lib/digest"
for each in "$lib"/agent-*; do
  [ "$each" = "$lib/$version" ] || rm -rf "$each"
done
`,
};
