// Package stories holds end-to-end tests: each file is one thing that a user
// does, driven in the real binary in a pseudo-terminal. It has no code of its
// own beyond its tests.
package stories
