//go:build linux && !cgo
// +build linux,!cgo

// Package oddities holds every form of declaration.
//
// It spans two paragraphs.
package oddities

import (
	"C"
	. "fmt"
	_ "embed"
	str "strings"
)

// Grouped constants.
const (
	// First has its own comment.
	First = iota
	Second // beside the line
	Third
	_
	Typed, Untyped int8 = 4, 5
)

const Lone = "x" // lone comment

var a, b = 1, 2

var (
	table = map[string]int{
		"one": 1,
		"two": 2,
	}
	fn = func() int {
		const local = 1
		return local
	}
	noValue []string
)

//go:generate stringer -type=Color
// Color is documented past a directive.
type Color int

type (
	// Pair is generic.
	Pair[K comparable, V any] struct {
		Key   K
		Value V
	}
	alias  = map[string][]Pair[string, int]
	number interface {
		~int | ~float64
		String() string
	}
	callback func(ctx string, opts ...func(*Color)) (n int, err error)
	embedded struct {
		*Color
		str.Builder
		name, other string `json:"-"`
	}
)

/*
Block comments document too.
*/
func Block() {}

// not a doc comment, a blank line follows

func Bare()

// Generic methods.
func (p *Pair[K, V]) Swap(
	key K, // the key
	value V,
) (old V, ok bool) {
	type inner struct{}
	return p.Value, true
}

func (Pair[K, V]) unnamed() {}

func Map[A, B any, S ~[]A](in S, f func(A) B) []B { return nil }

func init() { Println(str.ToUpper("a")) }

func Ünïcode(世界 string) string { return 世界 }

func tail() {} // trailing
