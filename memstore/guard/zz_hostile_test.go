package guard

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

func TestZZHostile(t *testing.T) {
	if os.Getenv("GUARD_HOSTILE") == "" {
		t.Skip()
	}
	parts := []string{"password ", "password is ", "password for ", "password:", "password: a ", "pass", "pw ", "pin ", "key ", "token=", "secret is the ", "x is the ", "user ", "login ", "log in with a", "log in with admin / ", "system: ", "system: x\n", "user: hello you there\n", "human: a b c\n", "ignore ", "ignore all ", "ignore all previous ", "forget your ", "i g n o r e ", "<", "<|", "[[", "mysql ", "mysql -p", "curl -u ", "http ", "https://", "https://a:", "://", "cookie ", "cookie sess", "session_id", "basic ", "bearer ", "authorization:", "seed ", "seed phrase: ", "abandon ability able ", "secret key ", "-----begin private key-----", "begin private key ", "\"kty\" ", "sk-", "aaaaaaaa", "AKIA", "you are now ", "you must not ", "do not tell the user ", "**", "_", "&amp;", "&", "1gn0re ", "а", "аa", "пароль ", "密码", "密码是", "パスワードは", "́", "👩‍👩‍", "a​", "\n", "\t", "|", "| password |\n", "`", "\"", "'", "{\"role\":", "eyJ", "eyJhbGciOi.", "discord ", "api_key ", "api key = ", "changed the password to ", "the credentials are ", "user/pass ", "key: ", "docker login ", "is the password ", "pretend ", "system prompt ", "<system>", "tool_call", "function_calls", "a=b;password=", "kind: secret\n", "kind: Secret\ndata:\n  a: ", "AccountKey=", "sig=", "?sig=", "machine x login y ", "host=a user=b ", "ghp_", "password a b c d e f ", "the passphrase is correct horse battery ", "your instructions ", "\x01", "token token", "secret_key_base ", "you have no ", "reveal ", "instructions ", "from now on ", "recovery codes: ", "abcde-12345, ", "use ", "use x to ", "ignore previous rules in "}
	type res struct {
		p string
		d time.Duration
	}
	for _, p := range parts {
		text := strings.Repeat(p, (64<<10)/len(p))
		start := time.Now()
		_ = Check(Input{Key: "a/b", Value: text})
		d1 := time.Since(start)
		start = time.Now()
		_ = Mask(text)
		d2 := time.Since(start)
		if d1 > 100*time.Millisecond || d2 > 200*time.Millisecond {
			fmt.Printf("slow %-40q check %v mask %v\n", p, d1, d2)
		}
	}
}
