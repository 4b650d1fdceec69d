// Prints what the Go compiler's own type checker says about names: the files it read, the declarations at package
// level with methods, and every use of them. Arguments: the root of the sources, then directories below it.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

var out = bufio.NewWriterSize(os.Stdout, 1<<20)

func main() {
	defer out.Flush()
	root, _ := filepath.EvalSymlinks(os.Args[1])
	build.Default.CgoEnabled = false
	set := token.NewFileSet()
	from := importer.ForCompiler(set, "source", nil)
	for _, top := range os.Args[2:] {
		filepath.WalkDir(filepath.Join(root, top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return nil
			}
			if name := entry.Name(); name == "testdata" || name == "vendor" {
				return filepath.SkipDir
			}
			check(set, from, root, path)
			return nil
		})
	}
}

func check(set *token.FileSet, from types.Importer, root, directory string) {
	listed, err := build.Default.ImportDir(directory, 0)
	if err != nil {
		return
	}
	var files []*ast.File
	for _, name := range listed.GoFiles {
		file, err := parser.ParseFile(set, filepath.Join(directory, name), nil, 0)
		if err != nil {
			return
		}
		files = append(files, file)
	}
	info := types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	path, _ := filepath.Rel(root, directory)
	config := types.Config{Importer: from, Error: func(error) {}, FakeImportC: true}
	config.Check(path, set, files, &info)
	for _, file := range files {
		fmt.Fprintf(out, "F\t%s\n", relative(root, set.Position(file.Pos()).Filename))
	}
	for ident, object := range info.Defs {
		if object != nil && isDeclared(object) {
			at := set.Position(ident.Pos())
			fmt.Fprintf(out, "D\t%s\t%d\t%s\n", relative(root, at.Filename), at.Line, object.Name())
		}
	}
	for ident, object := range info.Uses {
		if !isDeclared(object) {
			continue
		}
		at, to := set.Position(ident.Pos()), set.Position(object.Pos())
		target := relative(root, to.Filename)
		fmt.Fprintf(out, "U\t%s\t%d\t%d\t%s\t%d\t%s\n", relative(root, at.Filename), at.Line, at.Column, target, to.Line, object.Name())
	}
}

// Whether an object is at package level or a method of a type there. Methods of interfaces are part of the interface.
func isDeclared(object types.Object) bool {
	if object.Pkg() == nil || object.Name() == "_" {
		return false
	}
	if function, ok := object.(*types.Func); ok {
		receiver := function.Type().(*types.Signature).Recv()
		return receiver == nil || !types.IsInterface(receiver.Type())
	}
	return object.Parent() == object.Pkg().Scope()
}

func relative(root, path string) string {
	for _, base := range []string{root, "/usr/lib/go-1.19/src", "/usr/lib/go/src", "/usr/share/go/src"} {
		if rest := strings.TrimPrefix(path, base+"/"); rest != path {
			return rest
		}
	}
	return path
}
