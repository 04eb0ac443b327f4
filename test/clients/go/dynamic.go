package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
)

var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	boats       = schema.GroupVersionResource{Group: "go.example", Version: "v1", Resource: "boats"}
)

// dynamicAct defines a kind, and uses it without a Go type.
func dynamicAct(ctx context.Context, s *stage) error {
	name := "boats.go.example"
	if _, err := s.dynamic.Resource(definitions).Create(ctx, boatDefinition(name), metav1.CreateOptions{}); err != nil {
		return err
	}
	defer func() {
		_ = s.dynamic.Resource(definitions).Delete(context.Background(), name, metav1.DeleteOptions{})
	}()
	own := s.dynamic.Resource(boats).Namespace(s.namespace)
	err := until(ctx, "the new kind", func() bool {
		_, err := own.List(ctx, metav1.ListOptions{})
		return err == nil
	})
	if err != nil {
		return err
	}

	told := &seen{}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(s.dynamic, 0, s.namespace, nil)
	running, stop := context.WithCancel(ctx)
	defer stop()
	_, err = factory.ForResource(boats).Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { told.add("added %s", object.(*unstructured.Unstructured).GetName()) },
		UpdateFunc: func(_, now any) {
			told.add("updated to %v", now.(*unstructured.Unstructured).Object["status"])
		},
		DeleteFunc: func(any) { told.add("deleted") },
	})
	if err != nil {
		return err
	}
	factory.Start(running.Done())
	factory.WaitForCacheSync(ctx.Done())

	made, err := own.Create(ctx, boat("ann", 2), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	say("made %v, generation %d", made.Object["spec"], made.GetGeneration())
	made.Object["status"] = map[string]any{"sails": int64(2)}
	if made, err = own.UpdateStatus(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	say("status %v, generation %d", made.Object["status"], made.GetGeneration())
	_, err = own.Create(ctx, boat("big", 12), metav1.CreateOptions{})
	tell("too big", err)
	if err := own.Delete(ctx, "ann", metav1.DeleteOptions{}); err != nil {
		return err
	}
	if err := until(ctx, "three events", func() bool { return len(told.all()) == 3 }); err != nil {
		return err
	}
	say("%v", told.all())

	partial, err := metadata.NewForConfig(s.config)
	if err != nil {
		return err
	}
	list, err := partial.Resource(definitions).List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		return err
	}
	say("%s of %d", list.Kind, len(list.Items))
	return nil
}

func boat(name string, sails int) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "go.example/v1", "kind": "Boat",
		"metadata": map[string]any{"name": name},
		"spec":     map[string]any{"sails": int64(sails)},
	}}
}

func boatDefinition(name string) *unstructured.Unstructured {
	limit := 10
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": name},
		"spec": map[string]any{
			"group": "go.example", "scope": "Namespaced",
			"names": map[string]any{"plural": "boats", "singular": "boat", "kind": "Boat"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"subresources": map[string]any{"status": map[string]any{}},
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type": "object",
					"properties": map[string]any{
						"spec": map[string]any{
							"type":       "object",
							"properties": map[string]any{"sails": map[string]any{"type": "integer"}, "flag": map[string]any{"type": "string", "default": "white"}},
							"x-kubernetes-validations": []any{map[string]any{
								"rule": fmt.Sprintf("self.sails < %d", limit), "message": "that is too many sails",
							}},
						},
						"status": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
					},
				}},
			}},
		},
	}}
}
