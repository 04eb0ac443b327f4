// The real clusterctl, as its module has it, so that a test can move a fleet with it.
package main

import "sigs.k8s.io/cluster-api/cmd/clusterctl/cmd"

func main() {
	cmd.Execute()
}
