package arch

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// mayImport is the import table: which packages a top-level package may use. Subpackages follow the
// row of their top-level package, and may use it and its other subpackages.
var mayImport = map[string][]string{
	".":         {}, // shared by all packages, so it may not use them
	"memvars":   {},
	"worldbook": {},
	"llm":       {},
	"rules":     {"memvars"},
	"reactions": {"rules", "memvars"},
	"hooks":     {"rules", "memvars"},
	"prompt":    {"llm", "worldbook", "memvars"},
	"campaign":  {"memvars", "worldbook", "llm", "rules", "reactions", "hooks", "prompt"},
	// Tests of adapters play a campaign.
	"internal": {"memvars", "worldbook", "llm", "rules", "reactions", "hooks", "prompt", "campaign"},
}

// libraries lists where each third-party module may be imported.
var libraries = map[string][]string{
	"github.com/dlclark/regexp2/v2": {"internal/jsregex"},
	"github.com/tidwall/gjson":      {"memvars", "worldbook", "llm", "prompt", "rules", "internal"},
	"github.com/tidwall/sjson":      {"memvars", "worldbook", "llm", "prompt", "rules", "internal"},
	"github.com/google/go-cmp":      {"internal/testkit", "llm/llmtest", "campaign/storetest"},
}

// TestImportTable checks the imports against the table: EX-01.
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
			common := to == "internal" && (from != "." || inner == "internal/wording") // which imports nothing
			if to != from && !common && !slices.Contains(allowed, to) {
				t.Errorf("%s imports %s: %s may use %v only", f.path, imp, from, allowed)
			}
		}
	}
}

// floors lists the packages of campaigns from the lowest layer to the highest.
var floors = []string{"campaign/setting", "campaign/conflict", "campaign/cast", "campaign/state", "campaign/tool",
	"campaign/internal/answer", "campaign/game", "campaign/question", "campaign/turn/internal/draft", "campaign/turn/internal/judge", "campaign/turn/internal/past",
	"campaign/turn/internal/prepare", "campaign/turn/internal/play", "campaign/turn", "campaign/internal/turnlog", "campaign/observe", "campaign/internal/watch", "campaign"}

// TestRoomsOfCampaigns checks that no package of a campaign uses a package of a higher layer.
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

// edgeFiles are single files with outside access in packages that are otherwise pure.
var edgeFiles = []string{
	"campaign/engine.go",              // runs models and stores, reads the time
	"campaign/lease.go",               // renews leases, and detects when they expire
	"campaign/panics.go",              // logs the panics of the host's functions
	"campaign/observe/log.go",         // writes the observer's events to a log
	"campaign/memory_store.go",        // checks leases by the clock
	"campaign/follow_log.go",          // waits for new records
	"campaign/memory/vectors_file.go", // keeps vectors in a folder
	"llm/wrap/retry.go",               // waits between attempts
	"llm/wrap/ratelimit.go",           // computes when a request may be sent
	"llm/wrap/log.go",                 // writes to a log, with times
	"llm/watch.go",                    // ends a reply when no chunk arrives for too long
	"hooks/guard.go",                  // runs handlers of the host with a deadline
}

// Packages with outside access, and the names of package time that are only values.
var (
	outside  = []string{"os", "net", "net/http", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", "io/ioutil", "os/exec", "syscall"}
	timeSafe = []string{
		"Time", "Duration", "Month", "Weekday", "Location", "UTC", "FixedZone", "Date", "Unix", "Parse",
		"RFC3339", "RFC3339Nano", "Nanosecond", "Microsecond", "Millisecond", "Second", "Minute", "Hour",
		"UnixMilli", "DateOnly", "January", "February", "December", "Sunday", "LoadLocation", "ParseDuration",
		"DateTime", "TimeOnly", "ParseInLocation", "Monday",
	}
)

// TestDecidingIsPure checks the first law: code that makes decisions reads no clock, global random
// source, file, network or log, and starts no goroutines.
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
