package feed

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"reverie/agent"
)

func all(f *Feed) (events []agent.Event, batches int, err error) {
	for {
		b := f.Next()
		events = append(events, b.Events...)
		batches++
		if b.Done {
			return events, batches, b.Err
		}
	}
}

func TestManyPiecesOfTextArriveInFewBatchesAndWhole(t *testing.T) {
	t.Parallel()
	var want strings.Builder
	f := Start(t.Context(), func(_ context.Context, emit func(agent.Event)) error {
		for i := range 20_000 {
			s := fmt.Sprint(i, " ")
			want.WriteString(s)
			emit(agent.TextDelta{Text: s})
		}
		return nil
	})
	events, batches, err := all(f)
	var got strings.Builder
	for _, e := range events {
		got.WriteString(e.(agent.TextDelta).Text)
	}
	if err != nil || got.String() != want.String() {
		t.Fatalf("text differs, error %v", err)
	}
	if batches > 2_000 {
		t.Errorf("%d batches for 20,000 pieces", batches)
	}
}

func TestTheOrderOfEventsIsKept(t *testing.T) {
	t.Parallel()
	sent := []agent.Event{
		agent.TurnStarted{Turn: 1, Text: "hi"},
		agent.ReasoningDelta{Text: "hm"},
		agent.TextDelta{Text: "a"},
		agent.Notice{Text: "n"},
		agent.TextDelta{Text: "b"},
		agent.TurnFinished{Turn: 1},
	}
	f := Start(t.Context(), func(_ context.Context, emit func(agent.Event)) error {
		for _, e := range sent {
			emit(e)
		}
		return nil
	})
	if got, _, _ := all(f); !reflect.DeepEqual(got, sent) {
		t.Fatalf("got %v, want %v", got, sent)
	}
}

func TestAQuestionDoesNotWaitForMoreText(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	f := Start(t.Context(), func(_ context.Context, emit func(agent.Event)) error {
		emit(agent.TextDelta{Text: "one moment"})
		emit(agent.ApprovalAsked{})
		<-release
		return nil
	})
	// The turn is blocked on its question, so it must come without the end.
	seen := 0
	for seen < 2 {
		b := f.Next()
		seen += len(b.Events)
		if b.Done {
			t.Fatal("the turn ended before its question was seen")
		}
	}
	close(release)
	f.Wait()
}

func TestStoppingEndsTheTurnAndDeliversItsError(t *testing.T) {
	t.Parallel()
	f := Start(t.Context(), func(ctx context.Context, emit func(agent.Event)) error {
		<-ctx.Done()
		emit(agent.TurnFinished{Stopped: true})
		return ctx.Err()
	})
	f.Stop()
	events, _, err := all(f)
	if !errors.Is(err, context.Canceled) || len(events) != 1 {
		t.Fatalf("events %v, error %v", events, err)
	}
}

func TestAFaultInATurnIsAnErrorAndNotTheEnd(t *testing.T) {
	t.Parallel()
	f := Start(t.Context(), func(context.Context, func(agent.Event)) error { panic("broken") })
	if _, _, err := all(f); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Fatalf("error %v", err)
	}
}
