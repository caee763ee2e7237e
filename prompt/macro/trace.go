package macro

// Problem codes.
const (
	Unknown  = "unknown"   // no macro has this name
	Arity    = "arity"     // wrong number of arguments
	BadValue = "bad_value" // an argument that the macro cannot use
	Refused  = "refused"   // a limit, or something that the environment lacks
)

// Problem is a macro that was left as written, or gave nothing, and why.
type Problem struct {
	Code   string `json:"code"`
	Macro  string `json:"macro"`  // name as written
	Offset int    `json:"offset"` // of the opening braces in the template, in bytes
	Detail string `json:"detail,omitempty"`
}

// Draw is one number taken from the random source.
type Draw struct {
	Macro  string  `json:"macro"`
	Offset int     `json:"offset"`
	Value  float64 `json:"value"` // in [0, 1)
}

// Access is a variable that a template used.
type Access struct {
	Name   string `json:"name"`
	Global bool   `json:"global,omitempty"`
	Read   bool   `json:"read,omitempty"`
	Write  bool   `json:"write,omitempty"`
}

// Trace is what happened while texts were expanded, in order.
type Trace struct {
	Problems []Problem `json:"problems,omitempty"`
	Draws    []Draw    `json:"draws,omitempty"`
	// Access lists each variable once, in the order of first use.
	Access []Access `json:"access,omitempty"`
}
