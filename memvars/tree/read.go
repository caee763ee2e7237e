package tree

// Get returns a variable by its text path, in the form of [ParsePath], with the module first:
//
//	doc.Get("stat_data.world_shard.level")
//
// A leaf (a pair of a value and its description in one of the modules play_character_data and
// stat_data) is read as its value. "level[0]" is the value too, and "level[1]" the description. If
// the value of a leaf is an object, the path continues in it as if there were no pair. A root key
// that equals the whole text has precedence over the path, so that variables with names like
// "quest.stage" work.
//
// The result is nil for a null, a bool, a string, a [Number], or a [Value] for a list or an object.
// The result ok is false if the path does not exist or is malformed. [IsLeaf] decides which pairs
// are leaves; the method Read of memvars.System follows different rules. [Document.Int],
// [Document.Float], [Document.Text] and [Document.Bool] save the type switch.
func (d Document) Get(path string) (value any, ok bool) {
	v, ok := d.read(path)
	if !ok {
		return nil, false
	}
	switch c := v.v.(type) {
	case null:
		return nil, true
	case bool, string, Number:
		return c, true
	}
	return v, true
}

// read is Get before the conversion to a Go value.
func (d Document) read(path string) (Value, bool) {
	if v := d.Root().Get(path); v.Exists() {
		return v, true
	}
	p, err := ParsePath(path)
	if err != nil {
		return Value{}, false
	}
	at, err := d.Root().Find(p, IsLeaf)
	return at.Content(), err == nil
}

// Int returns a whole number, read as [Document.Get] does. The result ok is false if there is no
// number, if it has a fraction, or if it does not fit in an int64.
func (d Document) Int(path string) (n int64, ok bool) {
	v, _ := d.read(path)
	number, ok := v.AsNumber()
	if !ok {
		return 0, false
	}
	return number.Int64()
}

// Float returns a number in double precision, read as [Document.Get] does. ok is false if there is
// no number.
func (d Document) Float(path string) (f float64, ok bool) {
	v, _ := d.read(path)
	return v.AsFloat()
}

// Text returns a string, read as [Document.Get] does. ok is false if there is no string; numbers
// are not converted.
func (d Document) Text(path string) (s string, ok bool) {
	v, _ := d.read(path)
	return v.AsText()
}

// Bool returns a boolean, read as [Document.Get] does. ok is false if there is no boolean; texts
// are not converted.
func (d Document) Bool(path string) (b, ok bool) {
	v, _ := d.read(path)
	return v.AsBool()
}
