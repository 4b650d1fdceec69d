// Command declarations dumps every declaration of the Go files named on stdin, one JSON object a line,
// as Go's own parser sees them. Read by check-parity.ts.
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
)

type symbol struct {
	Name         string `json:"name"`
	Kind         string `json:"kind"`
	Receiver     string `json:"receiver"`
	Signature    string `json:"signature"`
	Doc          string `json:"doc"`
	StartLine    int    `json:"startLine"`
	EndLine      int    `json:"endLine"`
	DocStartLine int    `json:"docStartLine"`
	Exported     bool   `json:"exported"`
}

type file struct {
	Path    string   `json:"path"`
	Failed  bool     `json:"failed"`
	Package string   `json:"package"`
	Doc     string   `json:"doc"`
	Imports []string `json:"imports"`
	Symbols []symbol `json:"symbols"`
}

func main() {
	paths := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for paths.Scan() {
		if err := encoder.Encode(read(paths.Text())); err != nil {
			panic(err)
		}
	}
}

type reader struct {
	text  []byte
	set   *token.FileSet
	tree  *ast.File
	found []symbol
}

func read(path string) file {
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, path, text, parser.ParseComments)
	if err != nil {
		return file{Path: path, Failed: true}
	}
	r := &reader{text: text, set: set, tree: tree}
	for _, declaration := range tree.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			r.function(d)
		case *ast.GenDecl:
			r.general(d)
		}
	}
	imports := []string{}
	for _, spec := range tree.Imports {
		imports = append(imports, spec.Path.Value[1:len(spec.Path.Value)-1])
	}
	return file{Path: path, Package: tree.Name.Name, Doc: docOf(tree.Doc), Imports: imports, Symbols: r.found}
}

func (r *reader) function(d *ast.FuncDecl) {
	end := d.End()
	if d.Body != nil {
		end = d.Body.Pos()
	}
	s := r.symbol(d.Name.Name, "function", d.Pos(), d.End(), d.Doc)
	s.Signature = oneLine(r.bare(d.Pos(), end))
	if d.Recv != nil && len(d.Recv.List) > 0 {
		s.Kind = "method"
		receiver := d.Recv.List[0].Type
		s.Receiver = oneLine(r.bare(receiver.Pos(), receiver.End()))
	}
	r.found = append(r.found, s)
}

func (r *reader) general(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		start, own, beside := spec.Pos(), (*ast.CommentGroup)(nil), (*ast.CommentGroup)(nil)
		switch s := spec.(type) {
		case *ast.TypeSpec:
			own, beside = s.Doc, s.Comment
		case *ast.ValueSpec:
			own, beside = s.Doc, s.Comment
		default:
			continue
		}
		if !d.Lparen.IsValid() {
			start, own = d.Pos(), d.Doc
		}
		doc := docOf(own)
		if doc == "" {
			doc = docOf(beside)
		}
		if doc == "" {
			doc = docOf(d.Doc)
		}
		switch s := spec.(type) {
		case *ast.TypeSpec:
			found := r.symbol(s.Name.Name, "type", start, s.End(), own)
			found.Doc = doc
			found.Kind, found.Signature = r.typeHead(s)
			r.found = append(r.found, found)
		case *ast.ValueSpec:
			for _, name := range s.Names {
				found := r.symbol(name.Name, d.Tok.String(), start, s.End(), own)
				found.Doc = doc
				found.Signature = r.valueHead(d.Tok.String(), s)
				r.found = append(r.found, found)
			}
		}
	}
}

func (r *reader) typeHead(s *ast.TypeSpec) (kind, signature string) {
	switch s.Type.(type) {
	case *ast.StructType:
		kind = "struct"
	case *ast.InterfaceType:
		kind = "interface"
	default:
		return "type", oneLine("type " + r.bare(s.Pos(), r.longBody(s)))
	}
	return kind, oneLine("type " + r.bare(s.Pos(), s.Type.Pos()) + kind)
}

// longBody is where the first struct or interface within a type opens that is written on several lines.
func (r *reader) longBody(s *ast.TypeSpec) token.Pos {
	body := s.End()
	ast.Inspect(s, func(node ast.Node) bool {
		var fields *ast.FieldList
		switch t := node.(type) {
		case *ast.StructType:
			fields = t.Fields
		case *ast.InterfaceType:
			fields = t.Methods
		default:
			return true
		}
		if fields.Opening < body && r.line(node.Pos()) != r.line(node.End()) {
			body = fields.Opening
		}
		return true
	})
	return body
}

func (r *reader) valueHead(keyword string, s *ast.ValueSpec) string {
	written := string(r.text[r.offset(s.Pos()):r.offset(s.End())])
	short := oneLine(r.bare(s.Pos(), s.End()))
	if len(s.Values) == 0 || len([]rune(short)) <= 80 && !strings.Contains(written, "\n") {
		return keyword + " " + short
	}
	return keyword + " " + oneLine(r.bare(s.Pos(), s.Values[0].Pos())) + " …"
}

func (r *reader) symbol(name, kind string, from, to token.Pos, doc *ast.CommentGroup) symbol {
	s := symbol{Name: name, Kind: kind, Exported: ast.IsExported(name), Doc: docOf(doc)}
	s.StartLine, s.EndLine = r.line(from), r.line(to)
	s.DocStartLine = s.StartLine
	if doc != nil {
		s.DocStartLine = r.line(doc.Pos())
	}
	return s
}

// bare is the source between two places without its comments.
func (r *reader) bare(from, to token.Pos) string {
	out := ""
	for _, group := range r.tree.Comments {
		for _, comment := range group.List {
			if comment.Pos() >= from && comment.End() <= to {
				out += string(r.text[r.offset(from):r.offset(comment.Pos())]) + " "
				from = comment.End()
			}
		}
	}
	return out + string(r.text[r.offset(from):r.offset(to)])
}

// Lines of the file itself: //line directives must not move them.
func (r *reader) line(p token.Pos) int   { return r.set.PositionFor(p, false).Line }
func (r *reader) offset(p token.Pos) int { return r.set.PositionFor(p, false).Offset }

var (
	space = regexp.MustCompile(`\s+`)
	open  = regexp.MustCompile(`([([]) `)
	shut  = regexp.MustCompile(`,? ([)\]])`)
)

func oneLine(written string) string {
	line := strings.TrimSpace(shut.ReplaceAllString(open.ReplaceAllString(space.ReplaceAllString(written, " "), "$1"), "$1"))
	if runes := []rune(line); len(runes) > 400 {
		return string(runes[:399]) + "…"
	}
	return line
}

func docOf(group *ast.CommentGroup) string {
	if group == nil {
		return ""
	}
	return strings.Trim(group.Text(), "\n")
}
