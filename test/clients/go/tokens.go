package main

import (
	"context"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// tokensAct has a token made, asks who bears it, and uses it until its account is gone.
func tokensAct(ctx context.Context, s *stage) error {
	accounts := s.typed.CoreV1().ServiceAccounts(s.namespace)
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "bearer"}}
	if _, err := accounts.Create(ctx, account, metav1.CreateOptions{}); err != nil {
		return err
	}
	seconds := int64(1200)
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds}}
	answer, err := accounts.CreateToken(ctx, "bearer", request, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	say("a token for %v, %d s", answer.Spec.Audiences, *answer.Spec.ExpirationSeconds)

	for _, token := range []string{answer.Status.Token, "nonsense"} {
		review, err := s.typed.AuthenticationV1().TokenReviews().Create(ctx, &authenticationv1.TokenReview{
			Spec: authenticationv1.TokenReviewSpec{Token: token},
		}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		say("authenticated %v: %s %v %s", review.Status.Authenticated, review.Status.User.Username, review.Status.User.Groups, review.Status.Error)
	}

	config := rest.AnonymousClientConfig(s.config)
	config.BearerToken = answer.Status.Token
	bearer, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	who, err := bearer.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	say("it is %s", who.Status.UserInfo.Username)
	_, err = bearer.CoreV1().Pods(s.namespace).List(ctx, metav1.ListOptions{})
	tell("its Pods", err)
	access, err := bearer.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, &authorizationv1.SelfSubjectAccessReview{
		Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: s.namespace, Verb: "list", Resource: "pods"},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	say("may list Pods: %v %q", access.Status.Allowed, access.Status.Reason)

	if err := accounts.Delete(ctx, "bearer", metav1.DeleteOptions{}); err != nil {
		return err
	}
	err = until(ctx, "the token to be worth nothing", func() bool {
		_, err := bearer.CoreV1().Pods(s.namespace).List(ctx, metav1.ListOptions{})
		return apierrors.IsUnauthorized(err)
	})
	say("after its account is gone it is refused: %v", err == nil)
	_, err = accounts.CreateToken(ctx, "bearer", request, metav1.CreateOptions{})
	tell("for nobody", err)
	return nil
}
