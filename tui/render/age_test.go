package render

import (
	"testing"
	"time"

	"reverie/theme"
)

func TestAgo(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("east", 2*60*60)
	now := time.Date(2026, time.March, 10, 12, 30, 0, 0, zone) // a Tuesday
	tests := []struct {
		t    time.Time
		want string
	}{
		{time.Date(2026, 3, 10, 10, 12, 0, 0, zone), "today 10:12"},
		{time.Date(2026, 3, 9, 23, 59, 0, 0, zone), "yesterday 23:59"},
		{time.Date(2026, 3, 9, 22, 30, 0, 0, time.UTC), "today 00:30"},
		{time.Date(2026, 3, 8, 8, 0, 0, 0, zone), "Sun"},
		{time.Date(2026, 3, 4, 8, 0, 0, 0, zone), "Wed"},
		{time.Date(2026, 3, 3, 8, 0, 0, 0, zone), "3 Mar"},
		{time.Date(2026, 1, 1, 0, 0, 0, 0, zone), "1 Jan"},
		{time.Date(2025, 12, 31, 8, 0, 0, 0, zone), "31 Dec"},
		{time.Date(2025, 3, 2, 8, 0, 0, 0, zone), "2 Mar 2025"},
		{time.Date(2026, 3, 10, 13, 0, 0, 0, zone), "today 13:00"},
		{time.Date(2026, 3, 11, 8, 0, 0, 0, zone), "11 Mar 2026"},
		{time.Time{}, "never"},
	}
	for _, test := range tests {
		if got := Ago(test.t, now); got != test.want {
			t.Errorf("Ago(%v) is %q, not %q", test.t, got, test.want)
		}
	}
}

func TestAge(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 10, 12, 30, 0, 0, time.UTC)
	tests := []struct {
		before time.Duration
		want   string
	}{
		{-time.Hour, "now"}, {59 * time.Second, "now"}, {5 * time.Minute, "5m ago"}, {3*time.Hour + 59*time.Minute, "3h ago"},
		{48 * time.Hour, "2d ago"}, {90 * 24 * time.Hour, "3mo ago"}, {800 * 24 * time.Hour, "2y ago"},
	}
	for _, test := range tests {
		if got := Age(now.Add(-test.before), now); got != test.want {
			t.Errorf("Age of %v is %q, not %q", test.before, got, test.want)
		}
	}
	if got := Age(time.Time{}, now); got != "never" {
		t.Errorf("the zero time is %q", got)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1536: "1.5 KiB", 64 << 10: "64 KiB",
		1 << 20: "1 MiB", 5<<30 + 1<<29: "5.5 GiB", 1<<20 - 1: "1 MiB", 10_188: "9.9 KiB", 10_239: "10 KiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) is %q, not %q", n, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 entries", 1: "1 entry", 999: "999 entries", 50_000: "50,000 entries", 1_234_567: "1,234,567 entries", -1000: "-1,000 entries"} {
		if got := Count(n, "entry", "entries"); got != want {
			t.Errorf("Count(%d) is %q, not %q", n, got, want)
		}
	}
}

func TestGlyphsFitTheLocale(t *testing.T) {
	t.Parallel()
	tests := []struct {
		env   []string
		ascii bool
	}{
		{nil, false},
		{[]string{"LANG=en_GB.UTF-8"}, false},
		{[]string{"LANG=C.utf8"}, false},
		{[]string{"LANG=C"}, true},
		{[]string{"LANG=de_DE.ISO-8859-1"}, true},
		{[]string{"LANG=ja_JP.UTF-8"}, true},
		{[]string{"LANG=zh_CN.UTF-8"}, true},
		{[]string{"LANG=kok_IN.UTF-8"}, false},
		{[]string{"LANG=ja_JP.UTF-8", "LC_ALL=en_US.UTF-8"}, false},
		{[]string{"LANG=en_US.UTF-8", "LC_CTYPE=POSIX"}, true},
		{[]string{"LANG=C", "LANG=en_US.UTF-8", "LC_ALL="}, false},
	}
	for _, test := range tests {
		want := theme.UnicodeGlyphs()
		if test.ascii {
			want = theme.ASCIIGlyphs()
		}
		if got := GlyphsFor(test.env); got != want {
			t.Errorf("%q gives %+v", test.env, got)
		}
	}
}
