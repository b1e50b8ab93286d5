package planner

import "strings"

// contrasts are words of which one excludes the others. Keys that differ by
// such a pair name different things, whatever the texts below them say.
var contrasts = func() map[string][]int {
	m := map[string][]int{}
	for i, line := range strings.Split(strings.TrimSpace(`
production prod live staging stage preprod preview qa test tests testing dev development local sandbox demo canary
read reads reader write writes writer
get post put patch delete
min minimum max maximum
on off
enable enabled disable disabled
before after
start begin end finish stop
first last
left right
top bottom
up down
in out
input output
inbound outbound
ingress egress
upload download
import export
push pull
client server
frontend backend front back web api mobile ios android desktop cli ui worker
public private internal external
free pro basic premium enterprise trial
daily weekly monthly yearly hourly nightly
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
spring summer autumn fall winter
morning noon afternoon evening night
east west north south
us eu uk de fr apac emea
primary secondary replica
master slave
source target
old new
go js javascript ts typescript python py rust java kotlin swift ruby php c cpp csharp scala
linux macos windows darwin
amd64 arm64 x86 arm
http https grpc
unit integration e2e
home work office
mother father mom dad
brother sister
son daughter
wife husband
breakfast lunch dinner
buy sell
debit credit
income expense
plaintiff defendant
tenant landlord
buyer seller
adult child
metric imperial
km miles
sync async
allow deny
accept reject
open close
hot cold
dog cat
indoor outdoor
arrival departure
checkin checkout
main release hotfix
mysql postgres postgresql sqlite redis kafka nats
`), "\n") {
		for _, w := range strings.Fields(line) {
			m[w] = append(m[w], i)
		}
	}
	return m
}()

// opposed says whether two different words exclude each other.
func opposed(a, b string) bool {
	if a == b {
		return false
	}
	for _, i := range contrasts[a] {
		for _, j := range contrasts[b] {
			if i == j {
				return true
			}
		}
	}
	return false
}
