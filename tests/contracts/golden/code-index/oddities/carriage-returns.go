package oddities

// CRLF lines.
func Windows() {
	return
}
