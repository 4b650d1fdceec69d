package oddities

// Before is whole.
func Before() int { return 1 }

func broken( {
	x := 
}

// After the error things are whole again.
func Recovered() {}

type Cut struct {
	A int
