package guard

import "strings"

// afterPhrase looks for a value after "was changed to" in other languages than
// English, or after "for the router" without a verb.
func (c *claim) afterPhrase(rest string, end int) (value, bool) {
	if m := changedElsewhere().FindStringIndex(rest[:min(len(rest), 120)]); m != nil {
		c.value = readValue(c.text, end+m[1])
		if c.value.ok() && looksSecret(c.value.text) && c.isSecret() {
			return c.value.value, true
		}
	}
	near := rest[:min(len(rest), 160)]
	if !strings.ContainsAny(near, "!#$%^&?") {
		return value{}, false
	}
	m := ofWhat().FindStringIndex(near)
	if m == nil {
		return value{}, false
	}
	c.value = readValue(c.text, end+strings.LastIndexAny(near[:m[1]], " \t")+1)
	return c.value.value, c.value.ok() && isStrongSecret(c.value.text)
}

// changedElsewhere is "was changed to" in German, French and Spanish.
var changedElsewhere = lazy(foldPattern(`(?i)^(?:\s[^.;:=!?\n]{1,40}?)??\s(?:(?:wurde|ist|haben|hat|habe)\s(?:\w{1,12}\s)?auf|(?:a été|est) chang\w+ (?:en|pour|par)|(?:se |fue |ha sido )cambi\w+ (?:a|por|en))\s`))

// ofWhat lets "for the router" in between a word and a value without a verb; the
// value has a mark that names do not have.
var ofWhat = lazy(`(?i)^\s(?:for|of|on|to|für|fur|vom|von|zum|du|de|del|della|от|к|на|для|voor|till|til)(?:\s[\pL\d-]{1,24}){1,3}?\s[^\s.;:=?!]{1,40}[!#$%^&?][^\s]{0,40}`)
