package planner

import "strings"

// phrases are rewritten from left to right, the longest first. An empty
// right side drops the words.
var phrases = parsePhrases(`
pull request|pull requests|prs|pr|pull-request|pull-requests => pullrequest
data base|db|dbs => database
prod => production
repo|repos => repository
configs|config|configuration|configurations => config
docs|documentation => docs
app|apps => application
info => information
k8s => kubernetes
postgres => postgresql
js => javascript
ts => typescript
golang => go
vs code|vscode|visual studio code => visual-studio-code
env var|env vars|environment variable|environment variables => envvar
folder|folders|dir|dirs => directory
e mail|e mails|mails => email
telephone => phone
any more|any longer => anymore
no longer|not anymore => no-longer
has to|have to|had to => must
is required to|are required to|is obliged to|are obliged to => must
is able to|are able to => can
is not able to|are not able to|is unable to|are unable to => can not
every day => daily
every week => weekly
every month => monthly
every night => nightly
every hour => hourly
every year|annually => yearly
every monday|mondays => mondays
every tuesday => tuesdays
every wednesday => wednesdays
every thursday => thursdays
every friday => fridays
every saturday => saturdays
every sunday => sundays
using|via|by running|by using|by means of => with
in order to => to
due to the fact that|owing to => because of
such as => like
at least|no fewer than|no less than|a minimum of => at-least
at most|up to|no more than|a maximum of => at-most
less than|fewer than|below => under
more than|greater than|above => above
max => maximum
approximately|approx|roughly|circa => about
takes place|take place|happens|happen|occurs|occur|is held|are held =>
would like|would like to => want
lives in|resides in => live in
reside => live
works for|works at|is employed by|is employed at => work
speaks|talks => speak
named => called
is called|are called|is named|are named => name
execute|executes|executed => run
begin|begins|commence|commences => start
ends|end|finishes|finish => end
utilize|utilizes|utilise|utilises|employs|makes use of|make use of => use
uses => use
requires|require => need
picks|pick|selects|select|choose|chooses => choose
displays|display|shows => show
erases|erase|deletes|delete|removes|remove => delete
repair|repairs => fix
checks|verify|verifies => check
turn on|turns on|switch on|switches on|activate|activates => enable
turn off|turns off|switch off|switches off|deactivate|deactivates => disable
reply|replies|respond|responds|responses|response => answer
brief|concise => short
large => big
little => small
quick => fast
boss => manager
coworker|coworkers|co worker|co workers => colleague
mom|mum => mother
dad => father
kid|kids|children => child
people|persons => person
purchase|purchases => buy
film|films => movie
assist|assists => help
stores|store|stored => store
went out|go out|goes out =>go-out
deployments|deployment => deploy
noon|midday => 12:00
midnight => 00:00
once a day|once per day => daily
once a week|once per week => weekly
once a month|once per month => monthly
twice => 2 times
half an hour|half hour => 30 minute
favourite => favorite
colour|colours => color
behaviour|behaviours => behavior
centre|centres => center
organise|organises => organize
licence => license
kilometres|kilometre|kilometers|kilometer => km
metres|metre => meter
litres|litre => liter
kilograms|kilogram|kgs => kg
grey => gray
allergy|allergies => allergic
ok|okay => ok
prior to|ahead of => before
stand up|stand ups|standups => standup
pre commit => precommit
post mortem|post mortems|postmortems => postmortem
code base => codebase
time zone|time zones => timezone
back end => backend
front end => frontend
file name|file names => filename
data set|data sets => dataset
name space|name spaces => namespace
micro service|micro services|microservices => microservice
web site|web sites => website
change log => changelog
hot fix|hot fixes => hotfix
end point|end points => endpoint
health check|health checks => healthcheck
white space => whitespace
road map => roadmap
work flow|work flows => workflow
check list => checklist
open source => opensource
off from|off of => off
branch off|branch off from => branch from
you can find|you will find|you find =>
found in|be found in|can be found in|located in|situated in => in
found at|be found at|can be found at|located at|situated at => at
found under|can be found under => under
attempt|attempts => try
assistance => help
vehicle|automobile => car
whenever => when
sql server => sqlserver
authz => authorization
params|param|parameters => parameter
args|arg|arguments => argument
msgs|msg|messages => message
admins|administrator|administrators => admin
spec|specs|specification|specifications => specification
perf => performance
pkgs|pkg|packages => package
deps|dep|dependencies => dependency
impl => implementation
fn|func|funcs|functions => function
mgr => manager
gh actions => github actions
mongo => mongodb
elastic search => elasticsearch
node js|node.js|nodejs => node
from now on|going forward|from here on|from this point on => now
fortnightly|every fortnight|every two weeks|every 2 weeks|biweekly => every 2 weeks
quarterly|every quarter => quarterly
cellphone|cell phone|mobile phone|mobile number => mobile phone
run book|run books|runbooks => runbook
inside of => in
lib|libs|libraries => library
env|envs|environments => environment
`)

func parsePhrases(s string) map[string][]phrase {
	m := map[string][]phrase{}
	for _, line := range strings.Split(strings.TrimSpace(s), "\n") {
		left, right, _ := strings.Cut(line, "=>")
		for _, l := range strings.Split(left, "|") {
			from := strings.Fields(l)
			if len(from) == 0 {
				continue
			}
			m[from[0]] = append(m[from[0]], phrase{from, strings.Fields(right)})
		}
	}
	return m
}

// phrase is rewritten from words as written to words compared.
type phrase struct{ from, to []string }
