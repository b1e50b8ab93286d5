package guard

import "strings"

var vendorTokens = lazy(vendorForms)

// lowerTokens finds in a key, which is stored in lower case, the tokens whose
// forms have capitals.
var lowerTokens = lazy(`(?i)` + vendorForms + `|(?:^|[^a-z0-9_-])(aiza[\w-]{35}|sg\.[\w-]{22}\.[\w-]{43}|eyj[\w-]{10,}\.eyj[\w-]{10,}|\w*t3blbkfj\w{16,})`)

// vendorForms are prefixes that vendors document for scanners and that gitleaks
// does not know, or knows in one of their forms only.
var vendorForms = `(?:^|[^A-Za-z0-9_-])(` + strings.Join([]string{
	`sk-(?:ant-(?:api|admin|sid|oat)\d\d-|proj-|svcacct-|admin-|or-v1-|lf-|None-)[A-Za-z0-9_-]{20,}`, `sk-[A-Za-z0-9]{32,}`,
	`gsk_[A-Za-z0-9]{40,}`, `xai-[A-Za-z0-9]{40,}`, `r8_[A-Za-z0-9]{30,}`, `tvly-[A-Za-z0-9-]{20,}`,
	`ya29\.[A-Za-z0-9_-]{20,}`, `GOCSPX-[A-Za-z0-9_-]{20,}`, `dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}`,
	`AT[AC]TT3[A-Za-z0-9_=-]{20,}`, `ATBB[A-Za-z0-9]{24,}`, `sq0csp-[A-Za-z0-9_-]{30,}`, `whsec_[A-Za-z0-9+/=]{24,}`,
	`nvapi-[A-Za-z0-9_-]{40,}`, `lsv2_(?:pt|sk)_[a-f0-9]{20,}[A-Za-z0-9_]*`, `figd_[A-Za-z0-9_-]{30,}`, `secret_[A-Za-z0-9]{40,}`,
	`pat-(?:na|eu)\d-[a-f0-9-]{30,}`, `tskey-[a-z]+-[A-Za-z0-9-]{16,}`, `sbp_[a-f0-9]{40}`, `sb_secret_[A-Za-z0-9_-]{20,}`,
	`nsec1[a-z0-9]{58}`, `xprv[1-9A-HJ-NP-Za-km-z]{100,}`, `dp\.(?:st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{30,}`, `rk_(?:live|test)_[A-Za-z0-9]{16,}`,
	`AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{30,}`, `AGE-PLUGIN-[A-Z0-9]+-1[A-Z0-9]{20,}`, `gh[pousr]_[A-Za-z0-9]{30,}`, `glsa_[A-Za-z0-9_]{32,}`,
	`cf[au]t_[A-Za-z0-9_-]{30,}`, `vercel_[A-Za-z0-9_]{24,}`, `fw_[A-Za-z0-9]{20,}`, `pcsk_[A-Za-z0-9_]{40,}`, `e2b_[a-f0-9]{40}`, `rnd_[A-Za-z0-9]{28,}`,
	`key-[0-9a-f]{32}`, `sk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,}`, `hf_[A-Za-z0-9]{30,}`, `NRAK-[A-Z0-9]{27}`, `PMAK-[a-f0-9]{24}-[a-f0-9]{34}`, `phx_[A-Za-z0-9]{32,}`, `napi_[a-z0-9]{50,}`, `nfp_[A-Za-z0-9]{30,}`,
	`bkua_[a-f0-9]{40}`, `CCIPAT_[A-Za-z0-9]+_[a-f0-9]{40}`, `re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}`, `rpa_[A-Z0-9]{30,}`, `sntry[su]_[A-Za-z0-9+/=_-]{40,}`, `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`, `ntn_[A-Za-z0-9]{40,}`,
	`SK[0-9a-fA-F]{32}`, `hvs\.[A-Za-z0-9_-]{24,}`, `lin_oauth_[a-f0-9]{40,}`,
	`https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d+/[A-Za-z0-9_-]{40,}`,
	`https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,}`,
	`\d{8,10}:AA[A-Za-z0-9_-]{32,}`,
}, "|") + `)`
