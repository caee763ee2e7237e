//go:build !js

// Playground makes a page on which a card, a world book or a game folder can be tried in a browser.
// The page is one file. It has the whole library as WebAssembly, needs no server, and sends nothing.
//
//	go run ./examples/playground                 writes playground.html into the temporary folder
//	go run ./examples/playground -o page.html
//
// Drop files on the page and write a line. The page shows which lore the line activates and why,
// the prompt with the tokens of each block, the changes of the variables, and what of the files is
// not played. You write the reply of the model yourself.
package main

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed page.html
var page string

func main() {
	out := flag.String("o", filepath.Join(os.TempDir(), "playground.html"), "the `file` to write")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "playground: unknown argument %q; see -help\n", flag.Arg(0))
		os.Exit(2)
	}
	data, err := build()
	if err == nil {
		err = os.WriteFile(*out, data, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(1)
	}
	fmt.Printf("%s: %.1f MB; open it in a browser\n", *out, float64(len(data))/1e6)
}

// build compiles this package for the browser and returns the page with the program in it.
func build() ([]byte, error) {
	dir, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "playground.wasm")
	compile := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "github.com/talewright/talewright/examples/playground")
	compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if said, err := compile.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, said)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	loader, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
	_, _ = w.Write(wasm)                                       // a buffer returns no error
	_ = w.Close()
	return []byte(strings.NewReplacer("{{loader}}", string(loader),
		"{{program}}", base64.StdEncoding.EncodeToString(packed.Bytes())).Replace(page)), nil
}
