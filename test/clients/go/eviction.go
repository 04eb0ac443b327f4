package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// evictionAct asks for Pods to go, with and without a budget in the way.
func evictionAct(ctx context.Context, s *stage) error {
	pods := s.typed.CoreV1().Pods(s.namespace)
	labels := map[string]string{"app": "guarded"}
	for name, with := range map[string]map[string]string{"free": nil, "guarded": labels} {
		made, err := pods.Create(ctx, podOn(name, "sim-node", with), metav1.CreateOptions{})
		if err != nil {
			return err
		}
		if err := s.makeReady(ctx, made); err != nil {
			return err
		}
	}
	budgets := s.typed.PolicyV1().PodDisruptionBudgets(s.namespace)
	one := intstr.FromInt32(1)
	_, err := budgets.Create(ctx, &policyv1.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "guard"},
		Spec:       policyv1.PodDisruptionBudgetSpec{MinAvailable: &one, Selector: &metav1.LabelSelector{MatchLabels: labels}},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	err = until(ctx, "the budget to be counted", func() bool {
		budget, err := budgets.Get(ctx, "guard", metav1.GetOptions{})
		return err == nil && budget.Status.ObservedGeneration == 1 && budget.Status.CurrentHealthy == 1
	})
	if err != nil {
		return err
	}
	say("free: %v", s.evict(ctx, "free", nil))
	tell("guarded", s.evict(ctx, "guarded", nil))
	tell("guarded, in a dry run", s.evict(ctx, "guarded", []string{metav1.DryRunAll}))
	tell("missing", s.evict(ctx, "missing", nil))

	left, err := pods.List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, pod := range left.Items {
		say("%s: going %v, grace %v, %s", pod.Name, pod.DeletionTimestamp != nil, graceOf(pod), reasonOf(pod))
	}
	return nil
}

func (s *stage) evict(ctx context.Context, name string, dryRun []string) error {
	return s.typed.CoreV1().Pods(s.namespace).EvictV1(ctx, &policyv1.Eviction{
		ObjectMeta:    metav1.ObjectMeta{Name: name},
		DeleteOptions: &metav1.DeleteOptions{DryRun: dryRun},
	})
}

func graceOf(pod corev1.Pod) any {
	if pod.DeletionGracePeriodSeconds == nil {
		return "none"
	}
	return *pod.DeletionGracePeriodSeconds
}

func reasonOf(pod corev1.Pod) string {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.DisruptionTarget {
			return condition.Reason + ": " + condition.Message
		}
	}
	return "no disruption"
}
