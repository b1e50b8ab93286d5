package guard

import "strings"

// Command lines that carry a password: as the value of an option whose letter
// means something else to other programs, as an argument by position, or from
// echo through a pipe. Options with a telling name, such as --password, are
// assignments like any other.

// shellWord is a quoted or a bare argument, as two groups.
const shellWord = `(?:"([^"\n]{4,128})"|'([^'\n]{4,128})'|([^\s"'|;<>` + "`" + `]{4,128}))`

// commandRules find a password by the program and the option. The secret is
// the expression's first group that matched.
var commandRules = []secretRule{
	{
		name:   "command-password",
		words:  []string{"login"},
		re:     lazy(`\b(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|regctl|az|oc|cf|ibmcloud|argocd|rancher|npm|gcloud|jf|vault|snyk|heroku)\b[^\n|;]{0,40}\blogin\b[^\n|;]{0,160}?\s-p[=\s]\s*` + shellWord),
		accept: isCommandPassword,
	},
	{
		name:   "command-password",
		words:  []string{"redis-cli", "valkey-cli", "keydb-cli"},
		re:     lazy(`\b(?:redis|valkey|keydb)-cli\b[^\n|;]{0,160}?\s-a\s+` + shellWord),
		accept: isCommandPassword,
	},
	{
		name:  "command-password",
		words: []string{"mongo", "cqlsh", "ipmitool", "rdesktop", "psexec", "evil-winrm", "nxc ", "crackmapexec", "schtasks", "imapsync", "hdbsql", "ncftp", "vncdo", "winexe", "flyway", "unzip", "zip ", "7z"},
		re: lazy(`\b(?:(?:mongosh|mongo|mongodump|mongorestore|mongoexport|mongoimport|cqlsh|rdesktop|psexec|evil-winrm|nxc|crackmapexec|hdbsql|ncftp|ncftpput|vncdo)\b[^\n|;]{0,160}?\s-p\s+` +
			`|(?:ipmitool|zip|unzip)\b[^\n|;]{0,160}?\s-P\s+|schtasks\b[^\n|;]{0,160}?\s/rp\s+|7za?\b[^\n|;]{0,160}?\s-p)` + shellWord),
		accept: isCommandPassword,
	},
	{
		name:  "command-password",
		words: []string{"sqlcmd", "bcp ", "osql", "mosquitto_", "ldap", "snmp"},
		re: lazy(`\b(?:(?:sqlcmd|bcp|osql|mosquitto_pub|mosquitto_sub)\b[^\n|;]{0,160}?\s-P\s*|ldap(?:search|add|modify|delete|whoami|passwd|compare)\b[^\n|;]{0,160}?\s-w\s*` +
			`|snmp(?:walk|get|set|bulkwalk)\b[^\n|;]{0,160}?\s-[AX]\s+)` + shellWord),
		accept: isCommandPassword,
	},
	{
		name:  "command-password",
		words: []string{"plink", "pscp", "psftp", "putty", "keytool", "jarsigner", "xfreerdp", "cmdkey", "runas", "net use", "net user"},
		re: lazy(`(?i)\b(?:(?:plink|pscp|psftp|putty)(?:\.exe)?\b[^\n|;]{0,160}?\s-pw\s+|(?:keytool|jarsigner)\b[^\n|;]{0,160}?\s-(?:store|key|src|dest)\w{0,6}pass\s+` +
			`|(?:xfreerdp|cmdkey)\b[^\n|;]{0,160}?\s/p(?:ass)?:|net\s+use\s+(?:\S+\s+){1,2}?(?:\\\S+\s+)|net\s+user\s+[\w.-]+\s+)` + shellWord),
		accept: isCommandPassword,
	},
	{
		name:  "command-password",
		words: []string{"htpasswd", "rabbitmqctl", "rabbitmqadmin", "wpa_passphrase", "kafka-", "aws configure", "mc alias", "smbclient", "rpcclient", "nmcli", "lftp"},
		re: lazy(`\b(?:htpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+|rabbitmqctl\s+(?:add_user|change_password)\s+\S+\s+|wpa_passphrase\s+\S+\s+|aws\s+configure\s+set\s+\S*(?:secret|token)\S*\s+` +
			`|mc\s+alias\s+set\s+\S+\s+\S+\s+\S+\s+|(?:smbclient|rpcclient)\b[^\n|;]{0,160}?\s-U\s*["']?[^\s%"']+%|lftp\b[^\n|;]{0,160}?\s-u\s*[^\s,]+,)` + shellWord),
		accept: isCommandPassword,
	},
	{
		name:   "command-password",
		words:  []string{"sqlplus", "expdp", "impdp", "sqlldr"},
		re:     lazy(`\b(?:sqlplus|expdp|impdp|sqlldr|rman)\b[^\n|;/]{0,80}?\s["']?[\w$#]+/(?:"([^"\n@]{4,128})"|([^\s"'@/]{4,128}))`),
		accept: isCommandPassword,
	},
	{
		name:  "command-password",
		words: []string{"echo", "printf"},
		re: lazy(`\b(?:echo|printf)\s+(?:-n\s+|-e\s+|["']?%s(?:\\n)?["']?\s+)?(?:["']?[\w.-]+:)?` + shellWord +
			`["']?\s*\|\s*(?:sudo\s+)?(?:[^\n|;]{0,120}--?(?:password|passphrase|token|secret|pw|pass)-?(?:stdin|fd)|sudo\s+-S|passwd\s+--stdin|kinit|chpasswd|cryptsetup|gh auth login --with-token|su\s)`),
		accept: isCommandPassword,
	},
	{
		name:   "command-password",
		words:  []string{"secret set", "variable set", "secrets set", "secret put", "config:set"},
		re:     lazy(`\b(?:gh|glab|fly|flyctl|wrangler|heroku|supabase|doppler)\b[^\n|;]{0,20}\b(?:secrets?\s+(?:set|put)|variable\s+set)\b[^\n|;]{0,120}?\s(?:--body|-b|--value|-v)[=\s]\s*` + shellWord),
		accept: isCommandPassword,
	},
}

// isCommandPassword reports an argument that is a password in itself: "is" in
// "docker login -p is deprecated" is none.
func isCommandPassword(s string) bool {
	if isPlaceholder(s) || isReference(s) || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "[") || startsWithVariable(s) {
		return false
	}
	return looksSecret(s) || len(s) >= 6 && isDigits(s)
}

func startsWithVariable(s string) bool {
	return strings.HasPrefix(s, "$") && len(s) > 1 && (isAlnum(s[1]) || s[1] == '{' || s[1] == '(')
}
