package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

const (
	churners = 20
	rounds   = 40
	changes  = 50
)

// churnAct opens and cancels 800 watches on one connection while three standing ones must miss nothing.
func churnAct(ctx context.Context, s *stage) error {
	maps := s.typed.CoreV1().ConfigMaps(s.namespace)
	standing := make([]watch.Interface, 3)
	for i := range standing {
		opened, err := maps.Watch(ctx, metav1.ListOptions{LabelSelector: "churn=yes"})
		if err != nil {
			return err
		}
		defer opened.Stop()
		standing[i] = opened
	}
	var failures atomic.Int32
	var group sync.WaitGroup
	for range churners {
		group.Go(func() {
			for range rounds {
				if err := openAndCancel(ctx, s); err != nil {
					failures.Add(1)
					say("%v", err)
				}
			}
		})
	}
	for i := range changes {
		labelled := configMap(fmt.Sprintf("c-%d", i), nil)
		labelled.Labels = map[string]string{"churn": "yes"}
		if _, err := maps.Create(ctx, labelled, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	group.Wait()
	for _, each := range standing {
		count := 0
		for count < changes {
			select {
			case event, open := <-each.ResultChan():
				if !open || event.Type != watch.Added {
					return fmt.Errorf("a standing watch saw %v after %d events", event, count)
				}
				count++
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		say("a standing watch saw %d", count)
	}
	say("%d watches, %d failed", churners*rounds, failures.Load())
	return nil
}

func openAndCancel(ctx context.Context, s *stage) error {
	opened, err := s.typed.CoreV1().ConfigMaps(s.namespace).Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	// The CA is there since the namespace began, so there is an event to see.
	event, open := <-opened.ResultChan()
	opened.Stop()
	if !open || event.Type != watch.Added {
		return fmt.Errorf("a passing watch saw %v", event.Type)
	}
	return nil
}
