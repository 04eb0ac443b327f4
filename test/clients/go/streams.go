package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/transport/spdy"
	utilexec "k8s.io/client-go/util/exec"
)

// streamsAct reaches into a Pod: logs, commands over both protocols, and a port.
func streamsAct(ctx context.Context, s *stage) error {
	pods := s.typed.CoreV1().Pods(s.namespace)
	made, err := pods.Create(ctx, podOn("worker", "sim-node", nil), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := s.makeReady(ctx, made); err != nil {
		return err
	}
	tail := int64(2)
	logs, err := pods.GetLogs("worker", &corev1.PodLogOptions{TailLines: &tail, Follow: true}).DoRaw(ctx)
	say("logs: %s%v", logs, err)

	for _, command := range []struct {
		line  []string
		input string
	}{
		{[]string{"echo", "hello"}, ""},
		{[]string{"cat"}, "a line of input\n"},
		{[]string{"sh", "-c", "echo out; echo err >&2; exit 7"}, ""},
		{[]string{"nothing"}, ""},
	} {
		for _, protocol := range []string{"spdy", "websocket"} {
			if err := s.execute(ctx, protocol, command.line, command.input); err != nil {
				return err
			}
		}
	}
	return s.forward()
}

func (s *stage) execute(ctx context.Context, protocol string, line []string, input string) error {
	url := s.typed.CoreV1().RESTClient().Post().Resource("pods").Name("worker").Namespace(s.namespace).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{
			Command: line, Stdin: input != "", Stdout: true, Stderr: true,
		}, scheme.ParameterCodec).URL()
	var executor remotecommand.Executor
	var err error
	if protocol == "spdy" {
		executor, err = remotecommand.NewSPDYExecutor(s.config, http.MethodPost, url)
	} else {
		executor, err = remotecommand.NewWebSocketExecutor(s.config, http.MethodGet, url.String())
	}
	if err != nil {
		return err
	}
	var stdout, stderr bytes.Buffer
	options := remotecommand.StreamOptions{Stdout: &stdout, Stderr: &stderr}
	if input != "" {
		options.Stdin = strings.NewReader(input)
	}
	err = executor.StreamWithContext(ctx, options)
	code := 0
	var exit utilexec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitStatus()
	}
	say("%s %v: stdout %q, stderr %q, code %d, %v", protocol, line, stdout.String(), stderr.String(), code, err)
	return nil
}

// forward sends bytes to a port of the Pod and reads them back.
func (s *stage) forward() error {
	url := s.typed.CoreV1().RESTClient().Post().Resource("pods").Name("worker").Namespace(s.namespace).SubResource("portforward").URL()
	transport, upgrader, err := spdy.RoundTripperFor(s.config)
	if err != nil {
		return err
	}
	connection, protocol, err := spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, url).
		Dial(portforward.PortForwardProtocolV1Name)
	if err != nil {
		return err
	}
	defer connection.Close()
	headers := http.Header{}
	headers.Set(corev1.StreamType, corev1.StreamTypeError)
	headers.Set(corev1.PortHeader, "7")
	headers.Set(corev1.PortForwardRequestIDHeader, "0")
	failures, err := connection.CreateStream(headers)
	if err != nil {
		return err
	}
	failures.Close()
	headers.Set(corev1.StreamType, corev1.StreamTypeData)
	data, err := connection.CreateStream(headers)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(data, "there and back"); err != nil {
		return err
	}
	data.Close()
	back, err := io.ReadAll(data)
	trouble, _ := io.ReadAll(failures)
	say("%s: port 7 answered %q, %v, %s", protocol, back, err, fmt.Sprintf("errors %q", trouble))
	return nil
}
