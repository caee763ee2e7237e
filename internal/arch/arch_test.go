package arch

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// mayImport is the import table: which rooms a room may use. Subpackages follow
// the row of their room, and may use their room and its other subpackages.
var mayImport = map[string][]string{
	".":         {}, // what all share, so it may use none of them
	"memvars":   {},
	"worldbook": {},
	"llm":       {},
	"rules":     {"memvars"},
	"reactions": {"rules", "memvars"},
	"hooks":     {"rules", "memvars"},
	"prompt":    {"llm", "worldbook"},
	"campaign":  {"memvars", "worldbook", "llm", "rules", "reactions", "hooks", "prompt"},
	// A campaign is played to examine adapters.
	"internal": {"memvars", "worldbook", "llm", "rules", "reactions", "hooks", "prompt", "campaign"},
}

// libraries names where each foreign module may be imported.
var libraries = map[string][]string{
	"github.com/dlclark/regexp2/v2": {"internal/jsregex"},
	"github.com/tidwall/gjson":      {"memvars", "worldbook", "llm", "prompt", "rules", "internal"},
	"github.com/tidwall/sjson":      {"memvars", "worldbook", "llm", "prompt", "rules", "internal"},
	"github.com/google/go-cmp":      {"internal/testkit", "llm/llmtest", "campaign/storetest"},
}

// TestImportTable holds who may import whom: EX-01.
func TestImportTable(t *testing.T) {
	for _, f := range sources(t) {
		from := room(f.pkg)
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("%s: the import table has no row for %q", f.path, from)
			continue
		}
		for _, imp := range f.imports() {
			if imp == module && from != "." {
				continue
			}
			inner, ours := strings.CutPrefix(imp, module+"/")
			if !ours {
				checkForeign(t, f, imp)
				continue
			}
			to := room(inner)
			if to != from && (to != "internal" || from == ".") && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s: %s may use %v only", f.path, imp, from, allowed)
			}
		}
	}
}

// floors are the rooms of campaigns from the bottom to the top.
var floors = []string{"campaign/setting", "campaign/conflict", "campaign/cast", "campaign/state", "campaign/tool",
	"campaign/internal/answer", "campaign/game", "campaign/question", "campaign/turn/internal/draft", "campaign/turn/internal/judge", "campaign/turn/internal/past",
	"campaign/turn/internal/prepare", "campaign/turn/internal/play", "campaign/turn", "campaign/internal/turnlog", "campaign/observe", "campaign/internal/watch", "campaign"}

// TestRoomsOfCampaigns holds that no room of a campaign uses one above it.
func TestRoomsOfCampaigns(t *testing.T) {
	for _, f := range sources(t) {
		own := slices.Index(floors, f.pkg)
		for _, imp := range f.imports() {
			inner, _ := strings.CutPrefix(imp, module+"/")
			if at := slices.Index(floors, inner); own >= 0 && at > own {
				t.Errorf("%s imports %s, which is above it", f.path, imp)
			}
		}
	}
}

func checkForeign(t *testing.T, f file, imp string) {
	t.Helper()
	if !strings.Contains(strings.Split(imp, "/")[0], ".") {
		return // the standard library
	}
	for lib, places := range libraries {
		if imp != lib && !strings.HasPrefix(imp, lib+"/") {
			continue
		}
		for _, place := range places {
			if f.pkg == place || strings.HasPrefix(f.pkg, place+"/") {
				return
			}
		}
		t.Errorf("%s imports %s, which belongs in %v only", f.path, imp, places)
		return
	}
	t.Errorf("%s imports %s: the root module uses the four core libraries only", f.path, imp)
}

// edgeFiles are single files at the edge inside packages that otherwise decide.
var edgeFiles = []string{
	"campaign/engine.go",       // runs models and stores, tells the time
	"campaign/lease.go",        // renews leases, and tells when they are over
	"campaign/panics.go",       // logs the panics of the host's functions
	"campaign/observe/log.go",  // writes to a log what an observer is told
	"campaign/memory_store.go", // holds leases by the clock
	"campaign/follow_log.go",   // waits for what comes
	"llm/wrap/retry.go",        // waits between attempts
	"llm/wrap/ratelimit.go",    // tells when a request may go
	"llm/wrap/log.go",          // writes to a log, with times
	"llm/watch.go",             // ends a reply that is silent for too long
	"hooks/guard.go",           // runs handlers of the host under a deadline
}

// Packages that reach the outside world, and the names of package time that are
// only values.
var (
	outside  = []string{"os", "net", "net/http", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", "io/ioutil", "os/exec", "syscall"}
	timeSafe = []string{
		"Time", "Duration", "Month", "Weekday", "Location", "UTC", "FixedZone", "Date", "Unix", "Parse",
		"RFC3339", "RFC3339Nano", "Nanosecond", "Microsecond", "Millisecond", "Second", "Minute", "Hour",
		"UnixMilli", "DateOnly", "January", "February", "December", "Sunday", "LoadLocation", "ParseDuration",
		"DateTime", "TimeOnly", "ParseInLocation", "Monday",
	}
)

// TestDecidingIsPure holds the first law: nothing that decides reads a clock, a
// global random source, a file, the net or a log, and nothing starts goroutines.
func TestDecidingIsPure(t *testing.T) {
	for _, f := range sources(t) {
		if edge(f) {
			continue
		}
		for _, imp := range f.imports() {
			if slices.Contains(outside, imp) {
				t.Errorf("%s imports %s: only the edge may", f.path, imp)
			}
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s starts a goroutine: only the edge may", f.fset.Position(n.Pos()))
			case *ast.SelectorExpr:
				if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" && pkg.Obj == nil &&
					!slices.Contains(timeSafe, n.Sel.Name) {
					t.Errorf("%s uses time.%s: time comes in as an argument",
						f.fset.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		})
	}
}

// TestNoInit forbids init functions: tables are values, not registries.
func TestNoInit(t *testing.T) {
	for _, f := range sources(t) {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s declares init", f.path)
			}
		}
	}
}
