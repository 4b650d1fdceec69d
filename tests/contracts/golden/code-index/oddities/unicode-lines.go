package oddities

// Emoji 😀 before code must not shift anything.
var s = "😀😀" // 😀

// After sits behind wide characters.
func After(a struct{ X, Y int }, c <-chan func()) (<-chan int, error) { return nil, nil }
