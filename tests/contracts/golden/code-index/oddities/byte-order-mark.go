package oddities

func ByteOrderMark() {}
