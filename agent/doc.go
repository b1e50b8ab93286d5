// Package agent is one conversation: the turn loop, what the model is told,
// its tools, the questions that a person answers, and the threads that keep it
// all. Models themselves are in the sub-package model, memory is memstore's,
// and how any of it looks is left to the interface.
package agent
