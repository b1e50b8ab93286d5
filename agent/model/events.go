package model

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tidwall/gjson"
)

// Bounds of a streamed answer, in bytes: of one line, and of the whole.
const (
	maxLine   = 16 << 20
	maxStream = 64 << 20
)

var (
	errTooLarge = errors.New("the answer is larger than 64 MiB")
	errNotJSON  = errors.New("the answer is not JSON")
)

// A chunk is one event of a streamed answer: valid JSON with the event's
// name, or the mark of the end.
type chunk struct {
	name string
	data gjson.Result
	done bool // "[DONE]"
}

// chunks reads the events of a response, whatever frames them: server-sent
// events as the WHATWG specification has them, such events without the blank
// lines between, JSON values one after the other, or one JSON document of a
// server that does not stream. It looks at the first byte instead of the
// content type, which servers get wrong.
type chunks struct {
	r       *bufio.Reader
	values  *json.Decoder // when the body is JSON itself
	name    string
	data    [][]byte
	queue   []chunk
	end     error // after the queue
	size    *int  // what was read, in bytes
	begun   bool
	strange string // the first thing that came and is no event, for the error
}

// bounded fails when more than maxStream bytes were read.
type bounded struct {
	io.Reader
	size *int
}

func (b bounded) Read(p []byte) (int, error) {
	if *b.size > maxStream {
		return 0, errTooLarge
	}
	n, err := b.Reader.Read(p)
	*b.size += n
	return n, err
}

func newChunks(body io.Reader) *chunks {
	c := &chunks{size: new(int)}
	c.r = bufio.NewReaderSize(bounded{body, c.size}, 16<<10)
	return c
}

// begin skips a byte order mark and white space, and looks at what follows.
func (c *chunks) begin() error {
	if bom, _ := c.r.Peek(3); bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		if _, err := c.r.Discard(3); err != nil {
			return err
		}
	}
	for {
		b, err := c.r.ReadByte()
		if err != nil {
			return err
		}
		if b == ' ' || b == '\t' || b == '\r' || b == '\n' {
			continue
		}
		if err := c.r.UnreadByte(); err != nil {
			return err
		}
		switch b {
		case '<':
			page, _ := io.ReadAll(io.LimitReader(c.r, maxErrorBody))
			c.strange = pageTitle(page)
			return errNotJSON
		case '{':
			c.values = json.NewDecoder(c.r)
		}
		return nil
	}
}

// next returns the next event. At the end it returns io.EOF, and whatever
// went wrong where something did; events that came before are all returned
// first. Data that is not JSON is an error unless it is a mere word, which
// some proxies send to keep a connection.
func (c *chunks) next() (chunk, error) {
	if !c.begun {
		c.begun = true
		c.end = c.begin()
	}
	for {
		if len(c.queue) > 0 {
			first := c.queue[0]
			c.queue = c.queue[1:]
			return first, nil
		}
		if c.end != nil {
			return chunk{}, c.end
		}
		if c.values != nil {
			c.value()
		} else {
			c.line()
		}
	}
}

// value reads one of a sequence of JSON values.
func (c *chunks) value() {
	var raw json.RawMessage
	err := c.values.Decode(&raw)
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		c.queue = append(c.queue, chunk{data: gjson.ParseBytes(raw)})
	case errors.As(err, &syntax):
		c.end = fmt.Errorf("%w: %w", errNotJSON, err)
	default:
		c.end = err
	}
}

// line reads one line of server-sent events.
func (c *chunks) line() {
	line, err := readLine(c.r)
	if err != nil && (len(line) == 0 || err != io.EOF) {
		c.dispatch(true)
		c.finish(err)
		return
	}
	name, value, colon := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch {
	case len(line) == 0:
		c.dispatch(false)
	case colon && len(name) == 0: // a comment
	case string(name) == "event":
		c.name = string(value)
	case string(name) == "data":
		c.data = append(c.data, value)
	case line[0] == '{': // a JSON line among the events, of servers that forget "data:"
		c.data = append(c.data, line)
	}
	if err != nil {
		c.dispatch(true)
		c.finish(err)
	}
}

// finish ends the stream with err, unless it ended with something worse.
func (c *chunks) finish(err error) {
	if c.end == nil {
		c.end = err
	}
}

// dispatch puts the collected data lines into the queue: together when they
// make one JSON value, as the specification says, else each for itself, for
// servers that leave out the blank lines. last says that the stream ended
// here, perhaps in the middle of a line.
func (c *chunks) dispatch(last bool) {
	lines, name := c.data, c.name
	c.data, c.name = nil, ""
	if len(lines) == 0 {
		return
	}
	if whole := bytes.Join(lines, []byte("\n")); gjson.ValidBytes(whole) || len(lines) == 1 {
		lines = [][]byte{whole}
	}
	for _, line := range lines {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case bytes.HasPrefix(line, []byte("[DONE]")):
			c.queue = append(c.queue, chunk{name: name, done: true})
		case gjson.ValidBytes(line) && (line[0] == '{' || line[0] == '['):
			c.queue = append(c.queue, chunk{name: name, data: gjson.ParseBytes(line)})
		case name == "error": // an error in plain words
			c.queue = append(c.queue, chunk{name: name, data: gjson.Parse(quoteError(line))})
		case last && line[0] == '{':
			c.end = io.ErrUnexpectedEOF
			return
		case line[0] == '{' || line[0] == '[':
			c.strange = excerpt(string(line), 120)
			c.end = errNotJSON
			return
		default:
			if c.strange == "" {
				c.strange = excerpt(string(line), 120)
			}
		}
	}
}

func quoteError(text []byte) string {
	b, err := json.Marshal(map[string]string{"error": string(text)})
	if err != nil {
		return `{"error":"unreadable"}`
	}
	return string(b)
}

// readLine reads a line without its end, which is LF or CRLF.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, errTooLarge
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}
