package guard

import (
	"strings"
	"testing"
)

const typicalValue = "We only tag releases on Thursday, after the 14:00 standup, so that support is around on Friday. " +
	"The key steps are in docs/release.md; ask the platform team before skipping any of them this week."

func BenchmarkCheck(b *testing.B) {
	values := map[string]string{
		"typical":   typicalValue,
		"german":    "Wir veröffentlichen nur donnerstags, nach dem Standup um 14:00 Uhr, damit am Freitag jemand da ist. Die Schritte stehen in docs/release.md; fragt das Team, bevor ihr einen überspringt.",
		"about":     "API keys are rotated every 90 days; the password is in the vault and the token is read from the environment.",
		"64KiB":     strings.Repeat(typicalValue+"\n", 64<<10/len(typicalValue)),
		"64KiB-hex": strings.Repeat("3f2a9c1d4e5b6a7980f1e2d3c4b5a697 ", 64<<10/33),
	}
	for name, value := range values {
		b.Run(name, func(b *testing.B) {
			in := Input{Key: "deploy/day", Description: "when releases are tagged", Value: value}
			b.SetBytes(int64(len(value)))
			for b.Loop() {
				if err := Check(in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCheckHostile has texts of 64 KiB that make every word a beginning of
// what the rules look for.
func BenchmarkCheckHostile(b *testing.B) {
	for _, part := range []string{"password:", "token=", "密码", "is the password ", "changed the password to ", "system: x\n", "pw "} {
		b.Run(part, func(b *testing.B) {
			in := Input{Key: "a/b", Value: strings.Repeat(part, 64<<10/len(part))}
			for b.Loop() {
				_ = Check(in)
			}
		})
	}
}
