// Command go-proxy makes a folder that Go can use as a module proxy:
// `go run . FOLDER VERSION PATH=SOURCE...`. For each PATH=SOURCE, it writes the module PATH with
// the files of the folder SOURCE. Go then finds the modules with `GOPROXY=file://FOLDER`.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

func main() {
	folder, version := os.Args[1], os.Args[2]
	for _, argument := range os.Args[3:] {
		path, source, found := strings.Cut(argument, "=")
		if !found {
			log.Fatalf("%s is not PATH=SOURCE", argument)
		}
		if err := write(folder, module.Version{Path: path, Version: version}, source); err != nil {
			log.Fatal(err)
		}
	}
}

func write(folder string, version module.Version, source string) error {
	escaped, err := module.EscapePath(version.Path)
	if err != nil {
		return err
	}
	target := filepath.Join(folder, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	goMod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return err
	}
	info, err := json.Marshal(map[string]string{
		"Version": version.Version,
		"Time":    time.Now().UTC().Format(time.RFC3339),
	})
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"list":                    []byte(version.Version + "\n"),
		version.Version + ".info": info,
		version.Version + ".mod":  goMod,
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(target, name), content, 0o644); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(target, version.Version+".zip"))
	if err != nil {
		return err
	}
	if err := zip.CreateFromDir(archive, version, source); err != nil {
		return fmt.Errorf("%s: %w", version.Path, err)
	}
	return archive.Close()
}
