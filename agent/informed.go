package agent

import (
	"context"

	"reverie/agent/model"
)

// Informed is m with what every request made for a conversation carries: the
// volatile suffix, with the user facts and the date, after the request's own.
// It is for models that work for this conversation elsewhere, such as a
// dream's.
func (c *Conversation) Informed(m model.Model) model.Model { return informed{m, c} }

type informed struct {
	model.Model
	c *Conversation
}

func (i informed) Stream(ctx context.Context, r model.Request, emit func(model.Delta)) (model.Answer, error) {
	parts, err := i.c.volatileParts(ctx, i.Model)
	if err != nil {
		return model.Answer{}, err
	}
	if r.Volatile != "" {
		r.Volatile += "\n"
	}
	r.Volatile += joinParts(parts, "volatile")
	return i.Model.Stream(ctx, r, emit)
}
