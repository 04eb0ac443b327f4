package main

import (
	"context"
	"encoding/json"
	"sort"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsconfig "k8s.io/client-go/applyconfigurations/apps/v1"
	coreconfig "k8s.io/client-go/applyconfigurations/core/v1"
	metaconfig "k8s.io/client-go/applyconfigurations/meta/v1"
)

// applyAct owns fields on the server's side, as two managers that want different things.
func applyAct(ctx context.Context, s *stage) error {
	deployments := s.typed.AppsV1().Deployments(s.namespace)
	wanted := func(replicas int32, image string) *appsconfig.DeploymentApplyConfiguration {
		labels := map[string]string{"app": "web"}
		return appsconfig.Deployment("web", s.namespace).WithSpec(appsconfig.DeploymentSpec().
			WithReplicas(replicas).
			WithSelector(metaconfig.LabelSelector().WithMatchLabels(labels)).
			WithTemplate(coreconfig.PodTemplateSpec().WithLabels(labels).
				WithSpec(coreconfig.PodSpec().WithContainers(coreconfig.Container().WithName("web").WithImage(image)))))
	}
	made, err := deployments.Apply(ctx, wanted(2, "web:1"), metav1.ApplyOptions{FieldManager: "one"})
	if err != nil {
		return err
	}
	say("generation %d, replicas %d", made.Generation, *made.Spec.Replicas)
	_, err = deployments.Apply(ctx, wanted(3, "web:2"), metav1.ApplyOptions{FieldManager: "two"})
	tell("another's fields", err)
	forced, err := deployments.Apply(ctx, wanted(3, "web:2"), metav1.ApplyOptions{FieldManager: "two", Force: true})
	if err != nil {
		return err
	}
	owners := map[string]string{}
	for _, entry := range forced.ManagedFields {
		fields, _ := json.Marshal(json.RawMessage(entry.FieldsV1.Raw))
		owners[entry.Manager+" "+string(entry.Operation)+" "+entry.APIVersion] = string(fields)
	}
	keys := []string{}
	for key := range owners {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		say("%s owns %s", key, owners[key])
	}

	own, err := appsconfig.ExtractDeployment(forced, "two")
	if err != nil {
		return err
	}
	text, _ := json.Marshal(own)
	say("two's own: %s", text)
	status := appsconfig.Deployment("web", s.namespace).WithStatus(appsconfig.DeploymentStatus().WithReplicas(3))
	after, err := deployments.ApplyStatus(ctx, status, metav1.ApplyOptions{FieldManager: "counter"})
	if err != nil {
		return err
	}
	say("status %d, generation %d", after.Status.Replicas, after.Generation)
	return nil
}
