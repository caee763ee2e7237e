package main

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// update gives messages to a screen and returns the last command.
func update(s *screen, list ...tea.Msg) (cmd tea.Cmd) {
	for _, m := range list {
		_, cmd = s.Update(m)
	}
	return cmd
}

func typed(text string) (list []tea.Msg) {
	for _, r := range text {
		list = append(list, tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return list
}

// TestScreen: the story, the panel and the line of the player are on the screen, and a line goes to the
// player when it is entered: EX-04.
func TestScreen(t *testing.T) {
	t.Parallel()
	var said []string
	s := newScreen("The Lamp", "What do you do?", func(line string) { said = append(said, line) })
	update(s, tea.WindowSizeMsg{Width: 120, Height: 20}, printed("Fog lies over the harbour.\n"), asked{"The Lamp", "Mara: HP 10/10"})
	for _, want := range []string{"The Lamp", "Fog lies over the harbour.", "Mara: HP 10/10", "hat do you do?"} {
		if view := s.View().Content; !strings.Contains(view, want) {
			t.Errorf("%q is not on the screen:\n%s", want, view)
		}
	}
	if cmd := update(s, tea.KeyPressMsg{Code: tea.KeyEnter}); cmd != nil || said != nil {
		t.Errorf("an empty line is said: %q", said)
	}
	update(s, typed("I wait 等.")...)
	if view := s.View().Content; !strings.Contains(view, "I wait 等.") {
		t.Errorf("the line is not on the screen:\n%s", view)
	}
	cmd := update(s, tea.KeyPressMsg{Code: tea.KeyEnter})
	if view := s.View().Content; strings.Contains(view, "hat do you do?") || !strings.Contains(view, busy) {
		t.Errorf("the player is asked before the line is carried out:\n%s", view)
	}
	if cmd == nil || cmd() != nil || len(said) != 1 || said[0] != "I wait 等." {
		t.Fatalf("said %q", said)
	}
	update(s, asked{"The Lamp", "Mara: HP 9/10"})
	if view := s.View().Content; !strings.Contains(view, "> I wait 等.") || !strings.Contains(view, "hat do you do?") {
		t.Errorf("the line is not in the story:\n%s", view)
	}

	// A narrow terminal has no panel, and a long story shows its end.
	update(s, tea.WindowSizeMsg{Width: 40, Height: 10}, printed(strings.Repeat("A wave.\n", 100)+"The end."))
	view := s.View().Content
	if strings.Contains(view, "HP 10/10") || !strings.Contains(view, "The end.") || strings.Count(view, "\n") != 9 {
		t.Errorf("narrow:\n%s", view)
	}
	update(s, tea.KeyPressMsg{Code: tea.KeyPgUp})
	if strings.Contains(s.View().Content, "The end.") {
		t.Error("the story does not scroll")
	}
	update(s, printed("\nAnd then more."))
	if strings.Contains(s.View().Content, "And then more.") {
		t.Error("new text takes the reader away from an earlier part")
	}

	// A line without an end is divided, and nothing of it is lost.
	update(s, tea.KeyPressMsg{Code: tea.KeyPgDown}, tea.KeyPressMsg{Code: tea.KeyPgDown})
	for range 100 {
		update(s, printed(strings.Repeat("wave ", 200)))
	}
	if n := strings.Count(strings.Join(s.lines, " "), "wave"); n != 20_100 || len(s.text[len(s.text)-1]) > longLine {
		t.Errorf("the line has %d words, and its last part %d bytes", n, len(s.text[len(s.text)-1]))
	}
	update(s, tea.WindowSizeMsg{Width: 1, Height: 1})
	_ = s.View()
	for _, m := range []tea.Msg{ended{}, tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}} {
		if cmd := update(s, m); cmd == nil {
			t.Errorf("%T does not end the screen", m)
		} else if _, quits := cmd().(tea.QuitMsg); !quits {
			t.Errorf("%T does not end the screen", m)
		}
	}
}

// BenchmarkKeyPress writes a letter while text streams into a session of 300 turns, and draws the
// screen. Both must take less than the 16 ms between two pictures.
func BenchmarkKeyPress(b *testing.B) {
	s := newScreen("The Lamp", "What do you do?", nil)
	update(s, tea.WindowSizeMsg{Width: 120, Height: 30}, asked{"The Lamp", strings.Repeat("Mara: HP 10/10, alive, Harbour\n", 40)})
	for range 300 {
		update(s, printed("\n> I walk on.\n\n"+strings.Repeat("Fog lies over the harbour, 雾笼罩着港口. ", 30)+"\n"))
	}
	for b.Loop() {
		update(s, append(typed("m"), printed("wave "))...)
		if view := s.View().Content; !strings.Contains(view, "wave") || !strings.Contains(view, "m") {
			b.Fatal(view)
		}
		s.input.Reset()
	}
	if n := strings.Count(strings.Join(s.lines, " "), "wave"); n != b.N {
		b.Errorf("the story has %d of %d words", n, b.N)
	}
}
