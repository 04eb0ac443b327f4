package main

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// seen is what a handler was told, in order.
type seen struct {
	mutex sync.Mutex
	lines []string
}

func (s *seen) add(format string, values ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.lines = append(s.lines, fmt.Sprintf(format, values...))
}

func (s *seen) all() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]string(nil), s.lines...)
}

// informersAct follows one namespace with a shared informer; by default it asks for a watch that begins with a list.
func informersAct(ctx context.Context, s *stage) error {
	maps := s.typed.CoreV1().ConfigMaps(s.namespace)
	for i := range 5 {
		if _, err := maps.Create(ctx, configMap(fmt.Sprintf("there-%d", i), nil), metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	told := &seen{}
	running, stop := context.WithCancel(ctx)
	defer stop()
	factory := informers.NewSharedInformerFactoryWithOptions(s.typed, 0, informers.WithNamespace(s.namespace),
		informers.WithTweakListOptions(func(options *metav1.ListOptions) {
			options.FieldSelector = "metadata.name!=kube-root-ca.crt"
		}))
	informer := factory.Core().V1().ConfigMaps()
	if _, err := informer.Informer().AddEventHandler(handler(told)); err != nil {
		return err
	}
	factory.Start(running.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		say("%v synced: %v", kind, synced)
	}
	if err := until(ctx, "the initial objects", func() bool { return len(told.all()) == 5 }); err != nil {
		return err
	}

	fresh, err := maps.Create(ctx, configMap("later", map[string]string{"n": "1"}), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	fresh.Data["n"] = "2"
	if _, err := maps.Update(ctx, fresh, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if err := maps.Delete(ctx, "there-0", metav1.DeleteOptions{}); err != nil {
		return err
	}
	if err := until(ctx, "three more events", func() bool { return len(told.all()) == 8 }); err != nil {
		return err
	}
	lines := told.all()
	sort.Strings(lines[:5])
	say("%s", strings.Join(lines, "\n"))

	listed, err := informer.Lister().ConfigMaps(s.namespace).List(labels.Everything())
	if err != nil {
		return err
	}
	say("the cache has %d", len(listed))
	for _, asked := range s.asked.all() {
		if asked.method == "GET" && strings.Contains(asked.query, "watch=true") {
			say("a watch began with its list: %v, answered %d %s", strings.Contains(asked.query, "sendInitialEvents=true"), asked.status, asked.answered)
		}
	}
	return nil
}

func handler(told *seen) cache.ResourceEventHandlerFuncs {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { told.add("added %s", object.(*corev1.ConfigMap).Name) },
		UpdateFunc: func(before, now any) {
			told.add("updated %s from %v to %v", now.(*corev1.ConfigMap).Name, before.(*corev1.ConfigMap).Data, now.(*corev1.ConfigMap).Data)
		},
		DeleteFunc: func(object any) { told.add("deleted %s", object.(*corev1.ConfigMap).Name) },
	}
}
