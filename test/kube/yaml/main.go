// Writes each JSON value of standard input as YAML, the way Metal3's controllers do: one JSON line for each.
package main

import (
	"encoding/json"
	"io"
	"log"
	"os"

	"sigs.k8s.io/yaml"
)

type answer struct {
	YAML  string `json:"yaml"`
	Error string `json:"error,omitempty"`
}

func main() {
	values, answers := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	values.UseNumber()
	for {
		var value any
		if err := values.Decode(&value); err == io.EOF {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		text, err := yaml.Marshal(value)
		written := answer{YAML: string(text)}
		if err != nil {
			written.Error = err.Error()
		}
		if err := answers.Encode(written); err != nil {
			log.Fatal(err)
		}
	}
}
