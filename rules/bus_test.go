package rules_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/event"
)

func Example_bus() {
	var b rules.Bus
	off := b.On("quest:*", func(e event.Event) { fmt.Println("log", e.Type) })
	b.On("quest:done", func(e event.Event) { fmt.Println("fanfare for", e.Type) })
	b.Emit(event.New("quest:done"), event.New("weather:rain"))
	off()
	b.Emit(event.New("quest:start"))
	// Output:
	// fanfare for quest:done
	// log quest:done
}

func ExampleBus_On() {
	var b rules.Bus
	off := b.On("door:*", func(e event.Event) { fmt.Println("heard", e.Type) })
	b.Emit(event.New("door:knock"))
	off()
	b.Emit(event.New("door:open"))
	// Output: heard door:knock
}

// Listeners of the event itself come before listeners of its area.
func ExampleBus_Emit() {
	var b rules.Bus
	b.On("*", func(event.Event) { fmt.Println("the log") })
	b.On("door:knock", func(event.Event) { fmt.Println("the servant") })
	b.Emit(event.New("door:knock"))
	// Output:
	// the servant
	// the log
}

func ExampleBus_Clear() {
	var b rules.Bus
	b.On("*", func(e event.Event) { fmt.Println(e.Type) })
	b.Clear()
	b.Emit(event.New("door:knock"))
	// Output:
}

// A listener may be removed and new ones added while an event is being sent.
func TestListenersMayChangeTheBus(t *testing.T) {
	t.Parallel()
	var b rules.Bus
	var heard []string
	var off func()
	off = b.On("*", func(e event.Event) {
		heard = append(heard, "first "+e.Type)
		off()
		b.On("*", func(e event.Event) { heard = append(heard, "second "+e.Type) })
	})
	b.Emit(event.New("a"), event.New("b"))
	if got := fmt.Sprint(heard); got != "[first a second b]" {
		t.Error(got)
	}
	b.Clear()
	b.Emit(event.New("c"))
	if len(heard) != 2 {
		t.Error("a cleared bus was heard")
	}
}
