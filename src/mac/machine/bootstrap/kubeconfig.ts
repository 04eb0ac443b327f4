// Hands the Mac its Node's identity, readable by the agent's user alone.

import type { HostScript } from './script.ts';

/** Where the agent finds it; below the root. The agent renews its certificate there. */
export const KUBECONFIG_PATH = '/etc/tart-kubelet/kubeconfig';

/** Standard input: the kubeconfig. Values: user. */
export const kubeconfig: HostScript = {
  name: 'kubeconfig',
  as: 'root',
  body: `
umask 077
dir="$root/etc/tart-kubelet"
mkdir -p "$dir"
chmod 0700 "$dir"
cat > "$dir/kubeconfig.new"
chown "$user" "$dir" "$dir/kubeconfig.new"
mv "$dir/kubeconfig.new" "$dir/kubeconfig"
`,
};
