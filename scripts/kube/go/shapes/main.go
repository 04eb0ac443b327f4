// Command shapes prints how the Go types behind the built-in kinds look on the wire: JSON names, what is left out
// when empty, protobuf field numbers. scripts/kube/tables.ts turns that into tables.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// Field is one JSON field. Number is absent where the type has no protobuf form.
type Field struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Number string `json:"number,omitempty"`
	// p pointer, e omitempty, z omitzero, i inline.
	Flags string `json:"flags,omitempty"`
}

// Output is the whole dump, by OpenAPI name of the type.
type Output struct {
	Types map[string][]Field `json:"types"`
	// group/version/kind to type.
	Kinds map[string]string `json:"kinds"`
}

var special = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():                                "time",
	reflect.TypeFor[metav1.MicroTime]():                           "microtime",
	reflect.TypeFor[metav1.Duration]():                            "duration",
	reflect.TypeFor[resource.Quantity]():                          "quantity",
	reflect.TypeFor[intstr.IntOrString]():                         "intorstring",
	reflect.TypeFor[runtime.RawExtension]():                       "raw",
	reflect.TypeFor[metav1.FieldsV1]():                            "raw",
	reflect.TypeFor[apiextensions.JSON]():                         "raw",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrArray]():       "schemaorarray",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrBool]():        "schemaorbool",
	reflect.TypeFor[apiextensions.JSONSchemaPropsOrStringArray](): "schemaorstrings",
}

var output = Output{Types: map[string][]Field{}, Kinds: map[string]string{}}

func main() {
	check(apiextensions.AddToScheme(scheme.Scheme))
	check(apidiscovery.AddToScheme(scheme.Scheme))
	check(apiregistration.AddToScheme(scheme.Scheme))
	check(metav1.AddMetaToScheme(scheme.Scheme))
	for gvk, goType := range scheme.Scheme.AllKnownTypes() {
		if gvk.Version == runtime.APIVersionInternal {
			continue
		}
		output.Kinds[gvk.Group+"/"+gvk.Version+"/"+gvk.Kind] = nameOf(goType)
		describe(goType)
	}
	describe(reflect.TypeFor[apiextensions.JSONSchemaProps]())
	encoder := json.NewEncoder(os.Stdout)
	check(encoder.Encode(output))
}

// nameOf turns k8s.io/api/core/v1.Pod into io.k8s.api.core.v1.Pod, as OpenAPI documents call it.
func nameOf(goType reflect.Type) string {
	host, path, _ := strings.Cut(goType.PkgPath(), "/")
	labels := strings.Split(host, ".")
	for i, j := 0, len(labels)-1; i < j; i, j = i+1, j-1 {
		labels[i], labels[j] = labels[j], labels[i]
	}
	return strings.Join(labels, ".") + "." + strings.ReplaceAll(path, "/", ".") + "." + goType.Name()
}

func describe(goType reflect.Type) {
	name := nameOf(goType)
	if _, done := output.Types[name]; done {
		return
	}
	output.Types[name] = []Field{}
	fields := []Field{}
	for i := range goType.NumField() {
		if field, ok := fieldOf(goType.Field(i)); ok {
			fields = append(fields, field)
		}
	}
	output.Types[name] = fields
}

func fieldOf(field reflect.StructField) (Field, bool) {
	tag, tagged := field.Tag.Lookup("json")
	name, options, _ := strings.Cut(tag, ",")
	if !tagged || name == "-" {
		return Field{}, false
	}
	result := Field{Name: name, Type: typeOf(field.Type), Number: protobufNumber(field)}
	if field.Type.Kind() == reflect.Pointer {
		result.Flags += "p"
	}
	for option, flag := range map[string]string{"omitempty": "e", "omitzero": "z", "inline": "i"} {
		if contains(options, option) {
			result.Flags += flag
		}
	}
	if name == "" && !strings.Contains(result.Flags, "i") {
		if !field.Anonymous {
			return Field{}, false
		}
		result.Flags += "i"
	}
	return result, true
}

func contains(options, option string) bool {
	for candidate := range strings.SplitSeq(options, ",") {
		if candidate == option {
			return true
		}
	}
	return false
}

// protobufNumber reads `protobuf:"bytes,3,opt,name=..."`.
func protobufNumber(field reflect.StructField) string {
	parts := strings.Split(field.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return ""
	}
	return parts[1]
}

func typeOf(goType reflect.Type) string {
	if name, ok := special[goType]; ok {
		return name
	}
	switch goType.Kind() {
	case reflect.Pointer:
		return typeOf(goType.Elem())
	case reflect.Slice:
		return sliceOf(goType)
	case reflect.Map:
		return "{}" + typeOf(goType.Elem())
	case reflect.Struct:
		describe(goType)
		return nameOf(goType)
	default:
		return goType.Kind().String()
	}
}

func sliceOf(goType reflect.Type) string {
	if goType.Elem().Kind() == reflect.Uint8 {
		return "bytes"
	}
	// A named slice is a message of its own in protobuf, with one repeated field.
	if goType.Name() != "" {
		if _, isMessage := reflect.PointerTo(goType).MethodByName("Marshal"); isMessage {
			return "<>" + typeOf(goType.Elem())
		}
	}
	return "[]" + typeOf(goType.Elem())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
