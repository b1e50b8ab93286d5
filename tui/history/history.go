// Package history keeps the prompts of earlier sessions in a file, a JSON
// string a line, oldest first, readable by its owner alone.
package history

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/google/renameio/v2"
)

const (
	keep    = 2_000    // prompts that Load returns at most
	largest = 64 << 10 // bytes of a prompt that is kept; larger ones are pastes
	trimAt  = 8 << 20  // bytes of the file at which Load writes it anew, shorter
)

// File is a history file. Several processes may add to one.
type File struct {
	path string
	mu   sync.Mutex
	last string
}

// At is the history kept in a file, which need not exist yet.
func At(path string) *File { return &File{path: path} }

// Load returns the latest prompts, oldest first. Lines that can't be read, as
// after a full disk, are passed over.
func (f *File) Load() ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the prompts of earlier sessions: %w", err)
	}
	defer file.Close()
	var all []string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 8*largest)
	size := 0
	for lines.Scan() {
		size += len(lines.Bytes()) + 1
		var text string
		if json.Unmarshal(lines.Bytes(), &text) == nil && text != "" {
			all = append(all, text)
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("read the prompts of earlier sessions: %w", err)
	}
	if len(all) > keep {
		all = all[len(all)-keep:]
	}
	if n := len(all); n > 0 {
		f.last = all[n-1]
	}
	if size > trimAt {
		return all, f.rewrite(all)
	}
	return all, nil
}

func (f *File) rewrite(all []string) error {
	var out []byte
	for _, text := range all {
		line, err := json.Marshal(text)
		if err != nil {
			return err
		}
		out = append(append(out, line...), '\n')
	}
	if err := renameio.WriteFile(f.path, out, 0o600); err != nil {
		return fmt.Errorf("shorten the prompts of earlier sessions: %w", err)
	}
	return nil
}

// Add keeps one more prompt, unless it is the one before again or too large.
func (f *File) Add(text string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if text == "" || text == f.last || len(text) > largest {
		return nil
	}
	line, err := json.Marshal(text)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return fmt.Errorf("keep the prompt: %w", err)
	}
	file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("keep the prompt: %w", err)
	}
	_, err = file.Write(append(line, '\n'))
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("keep the prompt: %w", err)
	}
	f.last = text
	return nil
}
