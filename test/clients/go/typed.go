package main

import (
	"context"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
)

// typedAct goes through the verbs of the typed clients.
func typedAct(ctx context.Context, s *stage) error {
	maps := s.typed.CoreV1().ConfigMaps(s.namespace)
	made, err := maps.Create(ctx, configMap("settings", map[string]string{"colour": "green"}), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	say("made %s %v, has a uid: %v", made.Name, made.Data, made.UID != "")

	stale := made.DeepCopy()
	made.Data["colour"] = "red"
	if made, err = maps.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	stale.Data["colour"] = "blue"
	_, err = maps.Update(ctx, stale, metav1.UpdateOptions{})
	say("a stale update: conflict %v: %v", apierrors.IsConflict(err), err)
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		fresh, err := maps.Get(ctx, "settings", metav1.GetOptions{})
		if err != nil {
			return err
		}
		fresh.Data["colour"] = "blue"
		_, err = maps.Update(ctx, fresh, metav1.UpdateOptions{})
		return err
	})
	say("tried again: %v", err)

	for _, patch := range []struct {
		kind types.PatchType
		body string
	}{
		{types.MergePatchType, `{"data":{"size":"large"}}`},
		{types.JSONPatchType, `[{"op":"add","path":"/data/mood","value":"fine"}]`},
		{types.StrategicMergePatchType, `{"data":{"colour":null}}`},
	} {
		patched, err := maps.Patch(ctx, "settings", patch.kind, []byte(patch.body), metav1.PatchOptions{FieldManager: "tour"})
		if err != nil {
			return err
		}
		say("%s: %v", patch.kind, patched.Data)
	}
	if err := scaleIt(ctx, s); err != nil {
		return err
	}
	return deleteMany(ctx, s)
}

func scaleIt(ctx context.Context, s *stage) error {
	deployments := s.typed.AppsV1().Deployments(s.namespace)
	labels := map[string]string{"app": "web"}
	replicas := int32(2)
	_, err := deployments.Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       podOn("web", "", labels).Spec,
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	scale, err := deployments.GetScale(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	scale.Spec.Replicas = 5
	scaled, err := deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	after, err := deployments.Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return err
	}
	say("scaled to %d of %q, generation %d", scaled.Spec.Replicas, scaled.Status.Selector, after.Generation)
	return nil
}

func deleteMany(ctx context.Context, s *stage) error {
	maps := s.typed.CoreV1().ConfigMaps(s.namespace)
	for _, name := range []string{"a", "b", "c"} {
		labelled := configMap(name, nil)
		labelled.Labels = map[string]string{"many": "yes"}
		if _, err := maps.Create(ctx, labelled, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	err := maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "many=yes"})
	if err != nil {
		return err
	}
	left, err := maps.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name!=kube-root-ca.crt"})
	if err != nil {
		return err
	}
	names := []string{}
	for _, each := range left.Items {
		names = append(names, each.Name)
	}
	sort.Strings(names)
	say("left: %s", strings.Join(names, " "))
	wrong := types.UID("not-this-one")
	err = maps.Delete(ctx, "settings", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &wrong}})
	say("under another uid: conflict %v", apierrors.IsConflict(err))
	return maps.Delete(ctx, "settings", metav1.DeleteOptions{})
}
