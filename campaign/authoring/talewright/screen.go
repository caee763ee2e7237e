package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// screen shows the story, a panel with the state and the lore, and an input line. It passes each line
// to a player, who prints text in the same way as without a screen.
type screen struct {
	title string
	hint  string // in the empty input line while the player is asked
	open  int    // lines that the player has not finished with; the beginning counts as one
	input textinput.Model
	text  []string // the lines of the story so far
	lines []string // the same in the width of the screen
	last  int      // where the last line of the story begins in lines
	top   int      // the first line on the screen
	panel string
	width int // of the screen
	wide  int // of the story
	high  int
	say   func(line string) // hands a line to the player; it may wait
	done  bool
}

// Messages of the player to the screen.
type (
	printed string                        // more of the story
	asked   struct{ title, panel string } // the next line is read
	retold  struct{ before, from string } // a new story, shown from a place on
	ended   struct{}                      // the player has stopped
)

// panelWidth is the width of the panel. Narrow terminals have no panel.
const panelWidth = 32

// busy is in the empty input line until everything that the lines before caused is on the screen.
const busy = "…"

func newScreen(title, hint string, say func(string)) *screen {
	s := &screen{title: title, hint: hint, open: 1, text: []string{""}, input: textinput.New(), say: say}
	s.input.Placeholder = busy
	s.input.Focus()
	return s
}

// Init implements [tea.Model].
func (s *screen) Init() tea.Cmd { return textinput.Blink }

// Update implements [tea.Model].
func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.resize(msg.Width, msg.Height)
		return s, nil
	case printed:
		s.write(string(msg), s.atEnd())
		return s, nil
	case asked:
		s.title, s.panel = msg.title, msg.panel
		if s.open--; s.open == 0 {
			s.input.Placeholder = s.hint
		}
		return s, nil
	case retold:
		s.text, s.lines, s.last = []string{""}, nil, 0
		s.write(msg.before, false)
		top := s.last
		s.write(msg.from, false)
		s.scroll(top)
		return s, nil
	case ended:
		s.done = true
		return s, tea.Quit
	case tea.KeyPressMsg:
		switch msg.String() {
		case "ctrl+c":
			return s, tea.Quit
		case "enter":
			return s, s.enter()
		case "pgup":
			s.scroll(s.top - s.high)
			return s, nil
		case "pgdown":
			s.scroll(s.top + s.high)
			return s, nil
		}
	}
	var cmd tea.Cmd
	s.input, cmd = s.input.Update(msg)
	return s, cmd
}

// enter hands the written line to the player, and shows it in the story.
func (s *screen) enter() tea.Cmd {
	line := s.input.Value()
	s.input.Reset()
	if strings.TrimSpace(line) == "" {
		return nil
	}
	s.write("\n> "+printable(line)+"\n", true)
	s.open++
	s.input.Placeholder = busy
	return func() tea.Msg {
		s.say(line)
		return nil
	}
}

// longLine limits a line that is wrapped again when text comes: a longer one is divided.
const longLine = 8 << 10

// write adds to the story. follow keeps its end on the screen; a player who reads an earlier part
// stays there. The cost does not depend on the length of the story.
func (s *screen) write(text string, follow bool) {
	for i, piece := range strings.Split(text, "\n") {
		if i > 0 {
			s.text, s.last = append(s.text, ""), len(s.lines)
		}
		n := len(s.text) - 1
		s.text[n] += piece
		wrapped := s.wrap(s.text[n])
		s.lines = append(s.lines[:s.last], wrapped...)
		if len(s.text[n]) > longLine {
			s.text, s.last = append(s.text[:n], wrapped...), len(s.lines)-1
		}
	}
	if follow {
		s.scroll(len(s.lines))
	}
}

// wrap breaks a line between words.
func (s *screen) wrap(line string) []string {
	return strings.Split(lipgloss.Wrap(line, s.wide, ""), "\n")
}

// scroll shows the story from a line on.
func (s *screen) scroll(top int) { s.top = max(0, min(top, len(s.lines)-s.high)) }

func (s *screen) atEnd() bool { return s.top >= len(s.lines)-s.high }

func (s *screen) resize(width, height int) {
	follow := s.atEnd()
	s.width, s.wide = width, width
	if s.hasPanel() {
		s.wide -= panelWidth + 1
	}
	s.wide, s.high = max(s.wide, 1), max(height-3, 1) // without the title, a blank line and the input
	s.input.SetWidth(max(width-4, 1))
	s.lines = nil
	for _, line := range s.text {
		s.last = len(s.lines)
		s.lines = append(s.lines, s.wrap(line)...)
	}
	s.scroll(s.top)
	if follow {
		s.scroll(len(s.lines))
	}
}

func (s *screen) hasPanel() bool { return s.width >= 3*panelWidth }

// View implements [tea.Model].
func (s *screen) View() tea.View {
	shown := s.lines[s.top:min(s.top+s.high, len(s.lines))]
	body := lipgloss.NewStyle().Width(s.wide).Height(s.high).Render(strings.Join(shown, "\n"))
	if s.hasPanel() {
		side := lipgloss.NewStyle().Width(panelWidth).MaxHeight(s.high).Faint(true).Render(s.panel)
		body = lipgloss.JoinHorizontal(lipgloss.Top, body, " ", side)
	}
	v := tea.NewView(lipgloss.JoinVertical(lipgloss.Left, lipgloss.NewStyle().Bold(true).Render(s.title), body, "", s.input.View()))
	v.AltScreen = true
	return v
}

// onScreen reports whether a game is played on a screen: both ends are terminals.
func (t *terminal) onScreen() bool {
	return isTerminal(t.in) && isTerminal(t.out) && os.Getenv("TERM") != "dumb"
}

// toScreen is the output of a player on a screen.
type toScreen struct{ send func(tea.Msg) }

// Write implements [io.Writer].
func (w toScreen) Write(b []byte) (int, error) {
	w.send(printed(b))
	return len(b), nil
}

// playOnScreen plays on a screen until the player or the screen ends.
func (p *player) playOnScreen(watch func()) error {
	ctx, stop := context.WithCancel(p.ctx)
	var done sync.WaitGroup
	defer done.Wait()
	defer stop()
	read, write := io.Pipe()
	view := newScreen(p.title(), p.texts.Hint, func(line string) { _, _ = fmt.Fprintln(write, line) })
	program := tea.NewProgram(view, tea.WithContext(ctx), tea.WithInput(p.in), tea.WithOutput(p.terminal.out))
	p.ctx, p.out, p.color = ctx, toScreen{program.Send}, false
	p.lines = bufio.NewScanner(read)
	p.lines.Buffer(nil, 1<<20)
	p.send = program.Send
	played := make(chan error, 1)
	done.Go(watch)
	done.Go(func() {
		defer program.Send(ended{})
		err := p.begin()
		if err == nil {
			err = p.play()
		}
		played <- err
	})
	_, err := program.Run()
	stop()
	_ = write.Close()
	if view.done {
		return <-played
	}
	return err
}

// panel describes the state and the lore.
func (p *player) panel() string {
	var b strings.Builder
	if err := errors.Join(p.state(&b), p.lore(&b)); err != nil {
		b.WriteString(printable(err.Error()))
	}
	return b.String()
}
