package main

import (
	"context"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/restmapper"
)

// discoveryAct lists what is served, and maps names and kinds as clients do.
func discoveryAct(_ context.Context, s *stage) error {
	version, err := s.discovery.ServerVersion()
	if err != nil {
		return err
	}
	say("version %s.%s", version.Major, version.Minor)

	lists, err := s.discovery.ServerPreferredResources()
	if err != nil {
		return err
	}
	var lines []string
	for _, list := range lists {
		for _, resource := range list.APIResources {
			lines = append(lines, strings.Join([]string{
				list.GroupVersion, resource.Name, resource.Kind, resource.SingularName,
				strings.Join(resource.Verbs, ","), strings.Join(resource.ShortNames, ","),
			}, " "))
		}
	}
	sort.Strings(lines)
	for _, line := range lines {
		say("%s", line)
	}

	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.discovery))
	expander := restmapper.NewShortcutExpander(mapper, s.discovery, nil)
	for _, name := range []string{"po", "deploy", "services", "csr", "ingress.networking.k8s.io", "novels"} {
		resource, err := expander.ResourceFor(schema.ParseGroupResource(name).WithVersion(""))
		say("%s is %v, %v", name, resource, err)
	}
	for _, kind := range []schema.GroupKind{{Kind: "Pod"}, {Group: "apps", Kind: "Scale"}, {Group: "apps", Kind: "Deployment"}} {
		mapping, err := mapper.RESTMapping(kind)
		if err != nil {
			say("%v: %v", kind, err)
			continue
		}
		say("%v is %v, %s", kind, mapping.Resource, mapping.Scope.Name())
	}
	schemas, err := s.discovery.OpenAPISchema()
	if err != nil {
		return err
	}
	say("OpenAPI %s describes %v", schemas.Swagger, len(schemas.Definitions.AdditionalProperties) > 500)
	paths, err := s.discovery.OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	say("OpenAPI v3 has apps/v1: %v", paths["apis/apps/v1"] != nil)
	return nil
}
