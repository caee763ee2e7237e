package prepare

import (
	"slices"

	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// placedKey is the key of the texts around messages in the trace of a prompt.
const placedKey = "lore.generate"

// placed has the texts that entries of lore put before and after each message of a finished prompt,
// by the index of the message.
type placed struct{ before, after []string }

// withPlaced lays out the prompt and puts the texts of lore for places in the finished prompt into
// it. If they do not fit, the prompt is laid out again with a smaller budget. If that fails, they
// are left out.
func (p *Prompter) withPlaced(layout prompt.Layout, in prompt.Input, env prompt.Env) (prompt.Result, error) {
	if p.templates == nil {
		return p.keepResult(p.layOut(layout, in, env, 0))
	}
	random := draws{draw: env.Random} // a second layout uses the random numbers of the first again
	env.Random = random.number
	result, err := p.keepResult(p.layOut(layout, in, env, 0))
	if err != nil {
		return result, err
	}
	texts := p.messageTexts(result)
	around := placed{}
	around.before, around.after = p.beginTemplates(p.withVariables(&env)).Messages(texts)
	p.keepTemplates()
	extra := around.tokens(p.Budget().Counter)
	if extra == 0 {
		return result, nil
	}
	putIntoText := p.text != nil && around.putLast(&in)
	if budget := p.Budget(); putIntoText || budget.Context > 0 && budget.Response+budget.TurnReserve+result.Tokens+extra+3 > budget.Context {
		random.next = 0
		smaller, err := p.layOut(layout, in, env, extra)
		if err != nil {
			p.Warn("prompt: lore around the messages (%d tokens) does not fit: it is left out", extra)
			return result, nil
		}
		result = smaller
	}
	p.insertAround(around, &result, extra)
	return result, nil
}

// keepResult keeps the variables that the macros of the prompt have written.
func (p *Prompter) keepResult(result prompt.Result, err error) (prompt.Result, error) {
	if err == nil {
		p.KeepMacros(result.Vars, result.Globals)
	}
	return result, err
}

// messageTexts returns the texts of the messages without the beginning of the reply. A prompt in one
// text is one message.
func (p *Prompter) messageTexts(result prompt.Result) (texts []string) {
	if p.text != nil {
		return []string{p.text.now.text.Text}
	}
	for _, m := range result.Messages[:withoutPrefill(result)] {
		texts = append(texts, m.Text)
	}
	return texts
}

// withoutPrefill returns the number of messages before the beginning of the reply.
func withoutPrefill(result prompt.Result) int {
	if n := slices.IndexFunc(result.Origins, func(o prompt.Origin) bool { return o.Slot == "prefill" }); n >= 0 {
		return n
	}
	return len(result.Messages)
}

// tokens returns the size of the texts.
func (t *placed) tokens(counter prompt.TokenCounter) (n int) {
	for _, list := range [...][]string{t.before, t.after} {
		for i, text := range list {
			if list[i] = strings.ReplaceAll(text, originalMark, ""); list[i] != "" {
				n += counter.Count(list[i])
			}
		}
	}
	return n
}

// putLast adds the texts after the messages to the last line of a prompt in one text. It reports
// whether it has added any.
func (t *placed) putLast(in *prompt.Input) bool {
	after := strings.Join(t.after, "")
	if after == "" || len(in.History) == 0 {
		return false
	}
	lines := append([]prompt.Line(nil), in.History...)
	lines[len(lines)-1].Text += after
	in.History = lines
	return true
}

// insertAround puts the texts around the messages.
func (p *Prompter) insertAround(around placed, result *prompt.Result, extra int) {
	p.Trace.Prompt = append(p.Trace.Prompt, state.TracePrompt{Key: placedKey, Tokens: extra, Status: string(prompt.Kept), Speaker: p.Speaker})
	if p.text != nil {
		p.text.before = around.before[0]
		return
	}
	n := withoutPrefill(*result)
	add := func(i int, before, after string) {
		m := &result.Messages[i]
		if before+after == "" || m.Role == llm.Tool {
			return
		}
		m.Text = before + m.Text + after
		size := p.Budget().Counter.Count(before + after)
		result.Origins[i].Tokens += size
		result.Origins[i].Stability = prompt.Turn
		result.Tokens += size
	}
	last := len(around.after) - 1
	for i := range n {
		before, after := "", ""
		if i < min(last, n-1) || i == last {
			before = around.before[i]
		}
		if i == n-1 { // the last message, also if fewer messages fit now
			after = around.after[last]
		} else if i < last {
			after = around.after[i]
		}
		add(i, before, after)
	}
}
