package rules

// Operation says what [SetVariable] does with its operand. Operand or variable of
// the wrong type: nothing is changed, and the refusal is reported.
type Operation string

// The operations.
const (
	Set      Operation = "set"      // assign
	Add      Operation = "add"      // number plus number
	Subtract Operation = "subtract" // number minus number
	Multiply Operation = "multiply" // number times number
	Toggle   Operation = "toggle"   // flip a boolean; the operand is not looked at
	Append   Operation = "append"   // text after text
	Merge    Operation = "merge"    // shallow merge of an object into an object
	Push     Operation = "push"     // one element at the end of a list
	// Delete takes the key of an object or the index of a list that the operand names. A dot
	// path without an operand, or with true or null, names the part by itself; into a declared
	// variable it always does.
	Delete Operation = "delete"
)
