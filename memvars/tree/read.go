package tree

// Get reads a variable by its text path, as [ParsePath] understands it, the
// module first:
//
//	doc.Get("stat_data.world_shard.level")
//
// A leaf, which is a pair of a value and its description in one of the modules
// play_character_data and stat_data, is read as its value; "level[0]" is the
// value too and "level[1]" the description. Beyond a leaf that holds an object
// the path goes on as if the pair were not there. A root key that equals the
// whole text wins over the path, so that variables named like "quest.stage" work.
//
// The result is nil for a null, a bool, a string, a [Number], or a [Value] for a
// list or an object. ok is false where the path leads nowhere or is malformed.
// Which pairs are leaves is decided by [IsLeaf]; the method Read of memvars.System follows
// other rules. [Document.Int], [Document.Float], [Document.Text] and [Document.Bool] save the
// type switch.
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

// Int reads a whole number as [Document.Get] reads it. ok is false if there is none, if
// it has a fraction, or if an int64 cannot hold it.
func (d Document) Int(path string) (n int64, ok bool) {
	v, _ := d.read(path)
	number, ok := v.AsNumber()
	if !ok {
		return 0, false
	}
	return number.Int64()
}

// Float reads a number in double precision as [Document.Get] reads it. ok is false if
// there is none.
func (d Document) Float(path string) (f float64, ok bool) {
	v, _ := d.read(path)
	return v.AsFloat()
}

// Text reads a string as [Document.Get] reads it. ok is false if there is none; numbers
// are not converted.
func (d Document) Text(path string) (s string, ok bool) {
	v, _ := d.read(path)
	return v.AsText()
}

// Bool reads a boolean as [Document.Get] reads it. ok is false if there is none; texts
// are not converted.
func (d Document) Bool(path string) (b, ok bool) {
	v, _ := d.read(path)
	return v.AsBool()
}
