// Package envtest holds the folder that npm run envtest-assets writes to what controller-runtime's envtest asks of it.
package envtest

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

var widgetKind = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

func widget(name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(widgetKind)
	object.SetNamespace("default")
	object.SetName(name)
	return object
}

// started runs an environment until the test ends, and says how long its start took.
func started(t *testing.T) *envtest.Environment {
	t.Helper()
	environment := &envtest.Environment{
		CRDDirectoryPaths:     []string{"crds"},
		ErrorIfCRDPathMissing: true,
	}
	begin := time.Now()
	if _, err := environment.Start(); err != nil {
		t.Fatalf("start: %v", err)
	}
	t.Logf("ready after %d ms", time.Since(begin).Milliseconds())
	t.Cleanup(func() {
		begin := time.Now()
		if err := environment.Stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
		took := time.Since(begin)
		t.Logf("stopped after %d ms", took.Milliseconds())
		if took > 2*time.Second {
			t.Errorf("both programs together took %v to end", took)
		}
	})
	return environment
}

// markReady is a controller that reads through the manager's cache and writes a status.
func markReady(cached client.Client) reconcile.Func {
	return func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
		object := widget(request.Name)
		if err := cached.Get(ctx, request.NamespacedName, object); err != nil {
			return reconcile.Result{}, client.IgnoreNotFound(err)
		}
		if err := unstructured.SetNestedField(object.Object, true, "status", "ready"); err != nil {
			return reconcile.Result{}, err
		}
		return reconcile.Result{}, cached.Status().Update(ctx, object)
	}
}

func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within 20 s: %s", what)
		}
	}
}

func TestAManagerReconcilesCustomObjects(t *testing.T) {
	environment := started(t)
	manager, err := ctrl.NewManager(environment.Config, ctrl.Options{Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		t.Fatal(err)
	}
	cached := manager.GetClient()
	if err := ctrl.NewControllerManagedBy(manager).Named("ready").For(widget("")).Complete(markReady(cached)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	defer func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the manager ended with %v", err)
		}
	}()
	if !manager.GetCache().WaitForCacheSync(ctx) {
		t.Fatal("the caches did not fill")
	}

	if err := cached.Create(ctx, widget("one")); err != nil {
		t.Fatal(err)
	}
	seen := widget("one")
	until(t, "the controller's status", func() bool {
		_ = cached.Get(ctx, client.ObjectKeyFromObject(seen), seen)
		ready, _, _ := unstructured.NestedBool(seen.Object, "status", "ready")
		return ready
	})
	if size, _, _ := unstructured.NestedInt64(seen.Object, "spec", "size"); size != 0 {
		t.Errorf("spec was not sent, so nothing in it is defaulted; size is %d", size)
	}

	huge := widget("huge")
	_ = unstructured.SetNestedField(huge.Object, int64(11), "spec", "size")
	if err := cached.Create(ctx, huge); !apierrors.IsInvalid(err) {
		t.Errorf("a size above the schema's maximum: %v", err)
	}
	if err := cached.Delete(ctx, seen); err != nil {
		t.Fatal(err)
	}
	until(t, "the deletion to reach the cache", func() bool {
		return apierrors.IsNotFound(cached.Get(ctx, client.ObjectKeyFromObject(seen), seen))
	})
}

func TestUsersHaveTheirOwnRights(t *testing.T) {
	environment := started(t)
	ctx := context.Background()
	admin, err := kubernetes.NewForConfig(environment.Config)
	if err != nil {
		t.Fatal(err)
	}
	user, err := environment.AddUser(envtest.User{Name: "reader", Groups: []string{"readers"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := kubernetes.NewForConfig(user.Config())
	if err != nil {
		t.Fatal(err)
	}

	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web"}}},
	}
	created, err := admin.CoreV1().Pods("default").Create(ctx, pod, metav1.CreateOptions{})
	if err != nil {
		t.Fatalf("no service account is needed, because that admission is off: %v", err)
	}
	if name := created.Spec.ServiceAccountName; name != "" {
		t.Errorf("the Pod was given the service account %q", name)
	}
	_, err = reader.CoreV1().Pods("default").List(ctx, metav1.ListOptions{})
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), `User "reader" cannot list resource "pods"`) {
		t.Errorf("a user without a role: %v", err)
	}
}

func TestKubectlIsThere(t *testing.T) {
	environment := started(t)
	user, err := environment.AddUser(envtest.User{Name: "admin", Groups: []string{"system:masters"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	kubectl, err := user.Kubectl()
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := kubectl.Run("get", "crd", "widgets.example.com", "-o", "name")
	if err != nil {
		t.Fatal(err)
	}
	printed, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	if string(printed) != "customresourcedefinition.apiextensions.k8s.io/widgets.example.com\n" {
		t.Errorf("kubectl printed %q", printed)
	}
}
