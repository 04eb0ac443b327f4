package main

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// errorsAct shows how errors come out of the typed client: the Status behind each.
func errorsAct(ctx context.Context, s *stage) error {
	maps := s.typed.CoreV1().ConfigMaps(s.namespace)
	_, err := maps.Get(ctx, "missing", metav1.GetOptions{})
	tell("missing", err)
	_, _ = maps.Create(ctx, configMap("twice", nil), metav1.CreateOptions{})
	_, err = maps.Create(ctx, configMap("twice", nil), metav1.CreateOptions{})
	tell("twice", err)
	_, err = maps.Create(ctx, configMap("Not A Name", nil), metav1.CreateOptions{})
	tell("no name", err)
	_, err = maps.Create(ctx, configMap("", nil), metav1.CreateOptions{})
	tell("nameless", err)
	_, err = maps.Update(ctx, configMap("missing", nil), metav1.UpdateOptions{})
	tell("update of nothing", err)
	_, err = maps.Patch(ctx, "twice", types.MergePatchType, []byte(`{"data":[]}`), metav1.PatchOptions{})
	tell("patch of the wrong shape", err)
	_, err = maps.Patch(ctx, "twice", types.JSONPatchType, []byte(`{}`), metav1.PatchOptions{})
	tell("patch that is none", err)
	_, err = maps.List(ctx, metav1.ListOptions{LabelSelector: "a in b"})
	tell("bad selector", err)
	_, err = maps.Watch(ctx, metav1.ListOptions{ResourceVersion: "nonsense"})
	tell("bad version", err)
	_, err = s.typed.CoreV1().ConfigMaps("go-nowhere").Create(ctx, configMap("a", nil), metav1.CreateOptions{})
	tell("no namespace", err)
	_, err = s.typed.CoreV1().Pods(s.namespace).Create(ctx, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "empty"}}, metav1.CreateOptions{})
	tell("empty Pod", err)
	_, err = s.typed.CoreV1().RESTClient().Get().AbsPath("/apis/nothing.example/v1/novels").DoRaw(ctx)
	tell("no such kind", err)

	eve := rest.CopyConfig(s.config)
	eve.Impersonate.UserName = "eve"
	stranger := rest.AnonymousClientConfig(s.config)
	stranger.BearerToken = "nonsense"
	for _, config := range []*rest.Config{eve, stranger} {
		other, err := kubernetes.NewForConfig(config)
		if err != nil {
			return err
		}
		_, err = other.CoreV1().Secrets(s.namespace).List(ctx, metav1.ListOptions{})
		tell("no rights", err)
	}
	return nil
}

// tell prints the Status that the server sent with an error.
func tell(what string, err error) {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		say("%s: %v", what, err)
		return
	}
	told := status.Status()
	say("%s: %d %s: %s", what, told.Code, told.Reason, told.Message)
	if told.Details == nil {
		return
	}
	say("  of %q %q %q", told.Details.Group, told.Details.Kind, told.Details.Name)
	for _, cause := range told.Details.Causes {
		say("  %s %q: %s", cause.Type, cause.Field, cause.Message)
	}
}
