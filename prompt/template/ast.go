package template

// expr is an expression: a pointer to one of the types below. Fields with the name at are offsets in the
// text, for errors.
type expr any

type (
	constant struct{ v value }
	nameExpr struct {
		name string
		at   int
	}
	// textExpr is a text or a template string with macros or values in it.
	textExpr struct {
		parts []textExprPart
	}
	textExprPart struct {
		text  string
		macro int  // place in the macros of the template, from 1; 0: no macro
		value expr // or nil
	}
	macroValue struct{ macro int } // place in the macros of the template, from 1
	listExpr   struct{ items []expr }
	objectExpr struct{ members []memberExpr }
	memberExpr struct {
		key      string
		computed expr // instead of key
		value    expr // a *spread copies the members of an object
	}
	missingElement struct{} // [1, , 3]
	spread         struct{ list expr }
	// arrow is a function of a text, in any notation.
	arrow struct {
		params []param
		rest   target
		names  []declared // of the parameters
		body   *blockStmt // nil: the result is value
		value  expr
		self   *nameExpr // the name that the function has within itself
		name   string
	}
	param struct {
		target   target
		fallback expr
	}
	unary struct {
		op string // ! - + ~ typeof void delete
		x  expr
		at int
	}
	update struct {
		by     float64 // 1 for ++, -1 for --
		prefix bool
		to     expr
		at     int
	}
	binary struct {
		op   operator
		l, r expr
		at   int
	}
	logical struct {
		op   string // && || ??
		l, r expr
	}
	conditional struct{ test, yes, no expr }
	assign      struct {
		op   string // "" for =, else the operator before it
		to   expr   // *nameExpr, *member or *destructuring
		from expr
		at   int
	}
	sequence struct{ list []expr } // a, b
	member   struct {
		of       expr
		name     string
		key      expr // in brackets, instead of name
		optional bool // ?.
		at       int
	}
	call struct {
		fn       expr
		args     []expr
		optional bool // ?.
		at       int
	}
	// chainEnd is a chain of members and calls with ?. in it. The whole chain is undefined if an optional
	// part finds nothing.
	chainEnd    struct{ x expr }
	consoleExpr struct{} // a call of console: it does nothing
)

// target receives a value: a *nameExpr, a *destructuring, or a *member of an assignment.
type target any

// destructuring is a list or an object on the left side of = that takes a value apart.
type destructuring struct {
	list    bool // of a list, else of an object
	assigns bool // to names and members that exist, else it declares names
	members []destructuringMember
	rest    target
}

type destructuringMember struct {
	key      string
	computed expr   // instead of key
	target   target // nil: the element is skipped
	fallback expr
}

// stmt is a statement: a pointer to one of the types below. A nil stmt does nothing.
type stmt any

type (
	exprStmt struct{ x expr }
	// literalStmt prints the text between two tags, in one part for each piece of a unit.
	literalStmt struct {
		parts []literalPart
	}
	literalPart struct {
		text  string
		macro int // place in the macros of the template, from 1; 0: no macro
		at    int
	}
	// printStmt is a tag that prints its first value, or all.
	printStmt struct {
		args []expr
		all  bool
		at   int
	}
	declareStmt struct {
		kind string // const, let, var or function
		list []declaration
	}
	declaration struct {
		to   target
		from expr // or nil
	}
	ifStmt struct {
		test expr
		yes  stmt
		no   stmt
	}
	blockStmt struct {
		list  []stmt
		names []declared
	}
	forStmt struct {
		init       stmt
		names      []declared // of init
		test, step expr
		body       stmt
	}
	// forEachStmt is a loop over elements (of) or keys (in).
	forEachStmt struct {
		of    bool
		kind  string // const, let or var; "" assigns to a name that exists
		to    target
		names []declared
		over  expr
		body  stmt
		at    int
	}
	whileStmt struct {
		test expr
		body stmt
		late bool // do … while
	}
	switchStmt struct {
		on    expr
		cases []switchCase
		names []declared
	}
	switchCase struct {
		test expr // nil: default
		list []stmt
	}
	jumpStmt struct {
		signal signal // breaking or continuing
		label  string
	}
	returnStmt struct{ x expr }
	throwStmt  struct {
		x  expr
		at int
	}
	tryStmt struct {
		body, catch, finally *blockStmt // catch, finally: or nil
		caught               target
		names                []declared // of caught
	}
	labeledStmt struct {
		labels []string
		body   stmt
	}
)

// declared is a name of a block.
type declared struct {
	name     string
	constant bool
	variable bool // var: the name is undefined until its declaration has run
}

// signal says how a statement ended.
type signal uint8

const (
	normal signal = iota
	breaking
	continuing
	returning
)
