package main

import (
	"context"
	"fmt"
	"sort"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
)

// protobufAct speaks nothing but protobuf, as controllers in Go do.
func protobufAct(ctx context.Context, s *stage) error {
	config := rest.CopyConfig(s.config)
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf
	own, err := newStage(config, s.namespace)
	if err != nil {
		return err
	}
	pods := own.typed.CoreV1().Pods(s.namespace)
	watched, err := pods.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	defer watched.Stop()
	made, err := pods.Create(ctx, podOn("one", "sim-node", map[string]string{"a": "b"}), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	say("%s on %s, %s, %s", made.Name, made.Spec.NodeName, made.Status.Phase, made.Status.QOSClass)
	if err := own.makeReady(ctx, made); err != nil {
		return err
	}
	list, err := pods.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	say("%d, %s", len(list.Items), list.Items[0].Status.Phase)
	zero := int64(0)
	if err := pods.Delete(ctx, "one", metav1.DeleteOptions{GracePeriodSeconds: &zero}); err != nil {
		return err
	}
	for event := range watched.ResultChan() {
		say("%s", event.Type)
		if event.Type == watch.Deleted {
			break
		}
	}
	_, err = pods.Get(ctx, "one", metav1.GetOptions{})
	tell("gone", err)

	forms := map[string]bool{}
	for _, e := range own.asked.all() {
		forms[fmt.Sprintf("%s sent %q, was answered %q", e.method, e.contentType, e.answered)] = true
	}
	lines := []string{}
	for line := range forms {
		lines = append(lines, line)
	}
	sort.Strings(lines)
	for _, line := range lines {
		say("%s", line)
	}
	return nil
}
