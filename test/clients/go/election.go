package main

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// electionAct lets two candidates stand: the second leads once the first stops, and a third once the second just dies.
func electionAct(ctx context.Context, s *stage) error {
	told := &seen{}
	stopFirst := s.stand(ctx, "first", true, told)
	if err := until(ctx, "the first leader", func() bool { return len(told.all()) == 1 }); err != nil {
		return err
	}
	stopSecond := s.stand(ctx, "second", false, told)
	time.Sleep(1500 * time.Millisecond)
	say("%v", told.all())
	stopFirst()
	if err := until(ctx, "the second leader", func() bool { return len(told.all()) == 3 }); err != nil {
		return err
	}
	stopThird := s.stand(ctx, "third", true, told)
	stopSecond()
	if err := until(ctx, "the third leader", func() bool { return len(told.all()) == 5 }); err != nil {
		return err
	}
	lease, err := s.typed.CoordinationV1().Leases(s.namespace).Get(ctx, "the-one", metav1.GetOptions{})
	if err != nil {
		return err
	}
	say("%v", told.all())
	say("held by %s for %d s, changed hands %d times", *lease.Spec.HolderIdentity, *lease.Spec.LeaseDurationSeconds, *lease.Spec.LeaseTransitions)
	stopThird()
	return until(ctx, "the end of the third", func() bool { return len(told.all()) == 6 })
}

// stand runs a candidate until it is told to stop; a polite one gives its lease back.
func (s *stage) stand(ctx context.Context, name string, polite bool, told *seen) context.CancelFunc {
	running, stop := context.WithCancel(ctx)
	go leaderelection.RunOrDie(running, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "the-one", Namespace: s.namespace},
			Client:     s.typed.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name},
		},
		LeaseDuration:   3 * time.Second,
		RenewDeadline:   2 * time.Second,
		RetryPeriod:     300 * time.Millisecond,
		ReleaseOnCancel: polite,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { told.add("%s leads", name) },
			OnStoppedLeading: func() { told.add("%s stopped", name) },
		},
	})
	return stop
}
