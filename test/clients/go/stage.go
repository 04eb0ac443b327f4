package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// open makes the namespace and waits for the account that Pods need.
func (s *stage) open(ctx context.Context) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: s.namespace}}
	if _, err := s.typed.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		return err
	}
	return until(ctx, "the default account", func() bool {
		_, err := s.typed.CoreV1().ServiceAccounts(s.namespace).Get(ctx, "default", metav1.GetOptions{})
		return err == nil
	})
}

func (s *stage) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = s.typed.CoreV1().Namespaces().Delete(ctx, s.namespace, metav1.DeleteOptions{})
}

// until waits for what happens in its own time.
func until(ctx context.Context, what string, holds func() bool) error {
	err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, 20*time.Second, true,
		func(context.Context) (bool, error) { return holds(), nil })
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: data}
}

// podOn is a Pod that somebody has already placed.
func podOn(name, node string, labels map[string]string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: corev1.PodSpec{
			NodeName:   node,
			Containers: []corev1.Container{{Name: "main", Image: "main:1"}},
		},
	}
}

// makeReady says what a kubelet would say of a Pod that runs.
func (s *stage) makeReady(ctx context.Context, pod *corev1.Pod) error {
	pod.Status = corev1.PodStatus{
		Phase:      corev1.PodRunning,
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
	}
	_, err := s.typed.CoreV1().Pods(s.namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
	return err
}

// journal keeps what was asked and in which form it was answered.
type journal struct {
	mutex   sync.Mutex
	entries []entry
}

type entry struct {
	method, path, query, accept, contentType, answered string
	status                                             int
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

func (j *journal) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		if err == nil {
			j.add(entry{
				method: request.Method, path: request.URL.Path, query: request.URL.RawQuery,
				accept: request.Header.Get("Accept"), contentType: request.Header.Get("Content-Type"),
				answered: response.Header.Get("Content-Type"), status: response.StatusCode,
			})
		}
		return response, err
	})
}

func (j *journal) add(e entry) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.entries = append(j.entries, e)
}

func (j *journal) all() []entry {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return append([]entry(nil), j.entries...)
}
