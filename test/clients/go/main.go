// Command client-go does on one server what programs on client-go do, and prints what it saw, act by act. Nothing that
// it prints depends on the run: two servers that behave alike make it print the same.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// No act takes longer on a server that behaves.
const actDeadline = 45 * time.Second

// stage is what every act plays on.
type stage struct {
	config    *rest.Config
	typed     kubernetes.Interface
	dynamic   dynamic.Interface
	discovery *discovery.DiscoveryClient
	namespace string
	asked     *journal
}

type act struct {
	name string
	play func(context.Context, *stage) error
}

var acts = []act{
	{"discovery", discoveryAct},
	{"typed", typedAct},
	{"errors", errorsAct},
	{"informers", informersAct},
	{"dynamic", dynamicAct},
	{"apply", applyAct},
	{"protobuf", protobufAct},
	{"paging", pagingAct},
	{"election", electionAct},
	{"churn", churnAct},
	{"eviction", evictionAct},
	{"tokens", tokensAct},
	{"streams", streamsAct},
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the cluster")
	only := flag.String("act", "", "play this act alone")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	config.QPS, config.Burst = 500, 500
	failed := false
	for _, each := range acts {
		if *only != "" && *only != each.name {
			continue
		}
		fmt.Printf("## %s\n", each.name)
		if err := perform(each, rest.CopyConfig(config)); err != nil {
			fmt.Printf("FAILED: %v\n", err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// perform plays one act in a namespace of its own.
func perform(each act, config *rest.Config) error {
	ctx, cancel := context.WithTimeout(context.Background(), actDeadline)
	defer cancel()
	s, err := newStage(config, "go-"+each.name)
	if err != nil {
		return err
	}
	if err := s.open(ctx); err != nil {
		return err
	}
	defer s.close()
	return each.play(ctx, s)
}

func newStage(config *rest.Config, namespace string) (*stage, error) {
	asked := &journal{}
	config.Wrap(asked.wrap)
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	untyped, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	discoverer, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	return &stage{config, typed, untyped, discoverer, namespace, asked}, nil
}

func say(format string, values ...any) {
	fmt.Println(strings.TrimRight(fmt.Sprintf(format, values...), "\n"))
}
