package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"
)

// pagingAct reads a list in pages, and sees the state at the first page although it changes in between.
func pagingAct(ctx context.Context, s *stage) error {
	secrets := s.typed.CoreV1().ServiceAccounts(s.namespace)
	for i := range 7 {
		account, err := secrets.Get(ctx, "default", metav1.GetOptions{})
		if err != nil {
			return err
		}
		account.ObjectMeta = metav1.ObjectMeta{Name: fmt.Sprintf("account-%d", i)}
		if _, err := secrets.Create(ctx, account, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	pages := 0
	each := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		pages++
		if pages == 2 {
			if err := secrets.Delete(ctx, "account-6", metav1.DeleteOptions{}); err != nil {
				return nil, err
			}
		}
		return secrets.List(ctx, options)
	})
	each.PageSize = 3
	objects := 0
	err := each.EachListItem(ctx, metav1.ListOptions{}, func(runtime.Object) error {
		objects++
		return nil
	})
	say("%d objects on %d pages, %v", objects, pages, err)
	first, err := secrets.List(ctx, metav1.ListOptions{Limit: 3})
	if err != nil {
		return err
	}
	say("%d, and %d more", len(first.Items), *first.RemainingItemCount)
	return nil
}
