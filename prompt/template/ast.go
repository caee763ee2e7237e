package template

// expr is an expression: one of the types below.
type expr any

type (
	constant struct{ v value }
	nameOf   struct {
		name string
		at   int
	}
	// textOf macros and values: a text or a template string.
	joined struct {
		parts []joinedPart
	}
	joinedPart struct {
		text  string
		macro int // place in the macros of the template, from 1
		value expr
	}
	macroValue struct{ macro int }
	listExpr   struct{ items []expr }
	objectExpr struct{ members []memberExpr }
	memberExpr struct {
		key      string
		computed expr // instead of key
		value    expr // a spread: the object
	}
	// hole is a missing element of a list; spread are the elements of a list.
	hole   struct{}
	spread struct{ list expr }
	arrow  struct {
		params []param
		rest   target
		names  []declared // of the parameters
		body   *block     // nil: the result is value
		value  expr
		self   *nameOf // the name of a function within itself
		name   string
	}
	param struct {
		target   target
		fallback expr
	}
	unary struct {
		op string
		x  expr
		at int
	}
	update struct {
		by     float64
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
	choice struct{ test, yes, no expr }
	assign struct {
		op   string // "" for =, else the operator
		to   expr   // *nameOf, *member, *shape
		from expr
		at   int
	}
	sequence struct{ list []expr }
	member   struct {
		of       expr
		name     string
		key      expr // instead of name
		optional bool
		at       int
	}
	call struct {
		fn       expr
		args     []expr
		optional bool
		at       int
	}
	// whole ends an optional chain.
	whole struct{ x expr }
	// silent is a call of console: it does nothing.
	silent struct{}
)

// target receives a value: a *nameOf, a *shape, or a *member of an assignment.
type target any

// shape is a pattern of a declaration or an assignment.
type shape struct {
	list    bool
	assigns bool // to names and members that exist
	members []shapeMember
	rest    target
}

type shapeMember struct {
	key      string
	computed expr
	target   target // nil: the element is skipped
	fallback expr
}

// stmt is a statement: one of the types below.
type stmt any

type (
	exprStmt struct{ x expr }
	outStmt  struct {
		parts []outPart // one for each piece of a unit
	}
	outPart struct {
		text  string
		macro int // place in the macros of the template, from 1
		at    int
	}
	printStmt struct {
		args []expr
		all  bool
		at   int
	}
	declare struct {
		kind string // const, let, var
		list []declaration
	}
	declaration struct {
		to   target
		from expr // nil: none
	}
	ifStmt struct {
		test expr
		yes  stmt
		no   stmt
	}
	block struct {
		list  []stmt
		names []declared // let and const
	}
	forStmt struct {
		init       stmt
		names      []declared // of init
		test, step expr
		body       stmt
	}
	forEach struct {
		of    bool   // over elements; else over keys
		kind  string // "" if it assigns to a name
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
		cases []caseOf
		names []declared
	}
	caseOf struct {
		test expr // nil: default
		list []stmt
	}
	jump struct {
		signal signal // breaking, continuing
		label  string
	}
	returnStmt struct{ x expr }
	throwStmt  struct {
		x  expr
		at int
	}
	tryStmt struct {
		body, catch, finally *block // catch, finally: nil if there is none
		caught               target
		names                []declared // of caught
	}
	labeled struct {
		labels []string
		body   stmt
	}
)

// declared is a name of a block.
type declared struct {
	name     string
	constant bool
	variable bool // var: undefined before it is set
}

// signal says how a statement ended.
type signal uint8

const (
	normal signal = iota
	breaking
	continuing
	returning
)
