package campaign

import (
	"reflect"
	"testing"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/turn"
)

// TestPaidQuestions: an answer is stored under the question that it answers. Two questions never share
// an answer.
func TestPaidQuestions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		todo turn.Todo
		want any
	}{
		{turn.Todo{Route: &question.Route{}}, question.Route{}}, {turn.Todo{Recall: &memory.Query{Head: "x"}}, memory.Query{Head: "x"}},
		{turn.Todo{Retrieve: &question.Retrieve{Limit: 3}}, question.Retrieve{Limit: 3}},
		{turn.Todo{Judge: &question.Judge{}}, question.Judge{}}, {turn.Todo{Generate: &question.Generate{}}, nil}, {turn.Todo{}, nil},
	} {
		if got := paidQuestion(c.todo); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%T, want %T", got, c.want)
		}
	}
}
