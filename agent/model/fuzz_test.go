package model

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func fuzzSeeds(f *testing.F) {
	for _, c := range oddStreams {
		f.Add([]byte(strings.Join(c.body, "")))
	}
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}\n\n"))
	f.Add([]byte("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":1e300}}}\n\n"))
	f.Add([]byte("data: {\"type\":\"content_block_delta\",\"index\":-1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":3}}\n\n"))
	f.Add([]byte("{\"a\":"))
	f.Add([]byte("\xef\xbb\xbf"))
	f.Add([]byte("event: error\ndata: no\n\n"))
}

// feedDecoder reads a body to its end.
func feedDecoder(body []byte, d decoder, emit func(Delta)) (Answer, *failure) {
	_, dog := watch(context.Background(), 0, 0)
	defer dog.stop()
	s := newServer("test/m", "openai", "http://127.0.0.1")
	f := read(context.Background(), newChunks(bytes.NewReader(body)), dog, s, d, emit, func(bad complaint) *failure {
		return s.complained(bad, nil, noon)
	})
	return d.answer(emit), f
}

// Whatever bytes a server sends, the answer is what was shown, in UTF-8, with
// an id for each call, or an error that says something.
func FuzzStream(f *testing.F) {
	fuzzSeeds(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, d := range []decoder{&openAIDecoder{now: time.Now}, &anthropicDecoder{now: time.Now}} {
			var got streamed
			a, fail := feedDecoder(body, d, got.emit)
			if a.Message.Text != got.text {
				t.Errorf("shown %q, kept %q", got.text, a.Message.Text)
			}
			if !utf8.ValidString(a.Message.Text) || !utf8.ValidString(a.Message.Reasoning) {
				t.Errorf("not UTF-8: %q, %q", a.Message.Text, a.Message.Reasoning)
			}
			seen := map[string]bool{}
			for _, c := range a.Message.Calls {
				if c.ID == "" || c.Name == "" || c.Arguments == "" || seen[c.ID] {
					t.Errorf("a call without its own id, a name or arguments: %+v", c)
				}
				seen[c.ID] = true
			}
			if fail != nil && (fail.err.Problem == "" || fail.err.Error() == "" || fail.err.Advice == "") {
				t.Errorf("the error says too little: %+v", fail.err)
			}
		}
	})
}

// Whatever someone types, the offline model answers, and saves only what it
// was told to.
func FuzzOffline(f *testing.F) {
	for _, c := range phrasings {
		f.Add(c.text, "")
		f.Add("when do we deploy?", c.text)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		k := newTalk(t)
		k.memory.put("project", "deploy/day", "we deploy on Thursday", "user", noon.Add(-time.Hour))
		for _, text := range []string{first, second} {
			k.say(text)
			for _, c := range k.last {
				if isTool(c.Name, opSave) && parse(text).kind != intentSave && parse(text).kind != intentFix {
					t.Errorf("%q saved %s", text, c.Arguments)
				}
			}
		}
	})
}

func FuzzCorrection(f *testing.F) {
	f.Add("deploys go out on Thursday", "on Friday")
	f.Add("a-b (c) [d", "not d but e")
	f.Add("ſ ſ", "K, not S")
	f.Fuzz(func(t *testing.T, old, fix string) {
		if !utf8.ValidString(old) || !utf8.ValidString(fix) {
			t.Skip("memory is UTF-8")
		}
		if v, _ := corrected(old, fix); !utf8.ValidString(v) {
			t.Errorf("%q corrected by %q is %q", old, fix, v)
		}
	})
}
