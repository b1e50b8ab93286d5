package guard

import "strings"

// foreignRoles has, for other languages than English, the order to drop earlier
// instructions, the role without rules, and the request to hide something from
// the user. Letters are written as in the language; texts and expressions are
// folded alike.
var foreignRoles = []roleRule{
	// German
	foreign([]string{"ignorier", "missacht", "vergiss", "vergess", "verwirf", "ubergeh", "befolg"},
		`\b(ignorier\w*|missacht\w*|vergiss|vergesst|vergessen sie|verwirf|verwerfen sie|übergeh\w*|befolge nicht)~~(?:vorherig\w*|bisherig\w*|früher\w*|vorangegangen\w*|vorangehend\w*|obig\w*|vorstehend\w*|vorig\w*|alle\w*|deine\w*|ihre|systemanweisung\w*)~~(?:\w*anweisung\w*|instruktion\w*|regeln?|vorgaben|befehle?n?|richtlinien|prompts?|systemprompt|sicherheitsregeln|nachrichten)\b`),
	foreign([]string{"du bist jetzt", "du bist nun", "du bist ab", "nutzer", "benutzer", "anwender", "system"},
		`\bdu bist (?:jetzt|nun|ab jetzt|ab sofort)\b[^\n.]{0,80}\b(?:ohne (?:\w+ )?(?:einschrankungen|regeln|grenzen|filter|beschrankungen)|unzensiert|uneingeschrankt)|\b(?:sag|sage|verrate|erzähle?|teile)~(?:es~|das~)?(?:dem|der|den)~(?:be)?nutzern?~(?:nicht|nichts|davon nichts)\b|\b(?:verrate|zeige?|nenne|gib)~~(?:deinen?|ihren?)~(?:system-?prompt|systemanweisungen|anweisungen)`),
	// French
	foreign([]string{"ignore", "oubli", "neglige", "abstraction", "compte", "suivez", "suis plus"},
		`\b(ignore[zr]?|oublie[zr]?|néglige[zr]?|(?:fais|faites) abstraction (?:de|des)|ne (?:tiens|tenez) (?:pas|plus|aucun) compte (?:de|des)|ne (?:suis|suivez) (?:pas|plus))~~(?:instructions?|consignes?|directives?|règles?|ordres|messages?|commandes)~~(?:précédent\w*|antérieur\w*|ci-dessus|initial\w*|préalable\w*|d'avant|du système|de sécurité|données|qui précèdent)`),
	foreign([]string{"ignore", "oubli", "tu es", "vous etes", "utilisateur", "prompt"},
		`\b(?:ignore[zr]?|oublie[zr]?)~(?:toutes?~)?(?:tes|vos)~~(?:instructions?|consignes?|règles?)\b|\b(?:tu es|vous êtes) (?:maintenant|désormais)\b[^\n.]{0,80}\bsans (?:\w+ )?(?:restrictions?|limites?|règles?|filtres?|censure)|\b(?:ne|n')~?(?:dis|dites|révèle\w*|parle\w*|informe\w*|préviens|prévenez|en parle\w*)~(?:rien~|pas~|jamais~|cela~|en~)*(?:à~)?l'utilisateur|\b(?:révèle|montre|affiche|donne)[zr]?~~(?:ton|votre|tes|vos)~(?:prompt|instructions|message)~(?:système|système|cachées|initial\w*)`),
	// Spanish
	foreign([]string{"ignor", "olvid", "descart", "omit", "caso omiso", "hagas caso", "no sigas"},
		`\b(ignor[ae]n?|ignorar|ignores|olvid[ae]n?|olvidar|olvídate de|descart[ae]|omit[ae]|haz caso omiso (?:de|a)|no hagas caso (?:de|a)|no sigas)~~(?:instrucciones|indicaciones|reglas|órdenes|directrices|mensajes|normas)~~(?:anteriores|previas|precedentes|de arriba|del sistema|iniciales|que recibiste|dadas)`),
	foreign([]string{"ignor", "olvid", "eres", "usuario", "prompt"},
		`\b(?:ignor[ae]|olvid[ae])~(?:todas~)?(?:tus|sus)~~(?:instrucciones|reglas|directrices|normas|restricciones)\b|\b(?:ahora eres|eres ahora|a partir de ahora eres)\b[^\n.]{0,80}\bsin (?:\w+ )?(?:restricciones|límites|reglas|filtros|censura)|\bno~(?:se lo~|le~|lo~)*(?:digas|diga|cuentes|menciones|reveles|informes)~(?:nada~|esto~|nunca~)*al~usuario|\b(?:revela|muestra|muéstrame|dime|enséñame)~~(?:tu|tus)~(?:prompt|instrucciones|mensaje)~(?:del? sistema|ocult\w+|inicial\w*)`),
	// Portuguese
	foreign([]string{"ignor", "esquec", "desconsider", "descart", "nao siga"},
		`\b(ignor[ae]m?|ignorar|esqueça|esquece|esquecer|desconsider[ae]m?|desconsiderar|descarte|não siga)~~(?:instruções|regras|ordens|diretrizes|comandos|orientações|mensagens)~~(?:anteriores|prévias|acima|precedentes|do sistema|iniciais|recebidas)`),
	foreign([]string{"ignor", "esque", "agora", "usuario", "utilizador", "prompt"},
		`\b(?:ignor[ae]|esqueça)~(?:todas~)?(?:as~)?(?:tuas|suas)~~(?:instruções|regras|diretrizes|restrições)\b|\b(?:agora você é|você agora é|tu és agora)\b[^\n.]{0,80}\bsem (?:\w+ )?(?:restrições|limites|regras|filtros|censura)|\bnão~(?:diga|conte|mencione|revele|informe|digas|avise)~(?:nada~|isto~|isso~|nunca~)*a?o~(?:usuário|utilizador)|\b(?:revele|mostre|revela|mostra)~~(?:seu|sua|suas|teu|o seu)~(?:prompt|instruções|mensagem)~(?:d[eo] sistema|ocult\w+|inicia\w+)`),
	// Italian
	foreign([]string{"ignora", "dimentica", "trascura", "scorda", "non seguire", "non considerare"},
		`\b(ignora(?:te|re)?|dimentica(?:te|re)?|trascura(?:te|re)?|scorda(?:ti)?|non (?:seguire|considerare))~~(?:istruzioni|regole|direttive|ordini|indicazioni|comandi|messaggi)~~(?:precedent[ei]|antecedenti|anteriori|sopra|iniziali|di sistema|del sistema|ricevut[ei])`),
	foreign([]string{"ignora", "dimentica", "ora sei", "sei ora", "adesso sei", "utente", "prompt", "precedent"},
		`\b(?:ignora|dimentica)~(?:tutte~)?(?:le~)?(?:tue|vostre)~~(?:istruzioni|regole|direttive)\b|\b(?:ignora|dimentica)(?:te)?~~precedenti~(?:istruzioni|regole|direttive|indicazioni)|\b(?:ora sei|adesso sei|sei ora)\b[^\n.]{0,80}\bsenza (?:\w+ )?(?:restrizioni|limiti|regole|filtri|censura)|\bnon~(?:dire|rivelare|menzionare|informare|dirlo)~(?:nulla~|niente~|mai~|questo~)*(?:al)?l'utente|\b(?:rivela|mostra|mostrami|dimmi)~~(?:il~)?(?:tuo|tue)~(?:prompt|istruzioni|messaggio)~(?:di sistema|nascost\w|inizial\w)`),
	// Dutch
	foreign([]string{"negeer", "negeren", "vergeet", "vergeten"},
		`\b(negeer|negeren|vergeet)~~(?:vorige|voorgaande|eerdere|bovenstaande|voorafgaande|alle|je|jouw|uw)~~(?:instructies?|opdrachten|regels|richtlijnen|aanwijzingen|bevelen|prompts?)\b`),
	foreign([]string{"je bent nu", "u bent nu", "gebruiker"},
		`\b(?:je|u) bent nu\b[^\n.]{0,80}\bzonder (?:\w+ )?(?:beperkingen|regels|grenzen|filters?)|\b(?:vertel|zeg)~(?:dit~|het~)?(?:niets~)?(?:aan~)?(?:tegen~)?de~gebruiker~?(?:niets|niet)?|\b(?:toon|onthul|geef)~~(?:je|jouw)~(?:systeem-?prompt|systeeminstructies)`),
	// Russian and Ukrainian
	foreign([]string{"игнорир", "забудь", "отбрось", "не обращай", "не следуй", "пренебреги", "ігнору", "знехтуй", "не зважай", "відкинь"},
		`(игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?(?: про| о)?|отбрось(?:те)?|не обращай(?:те)? внимания на|не следуй(?:те)?|пренебреги|ігноруй(?:те)?|проігноруй(?:те)?|знехтуй(?:те)?|не зважай(?:те)? на|відкинь(?:те)?)~~(?:предыдущ\pL*|прежн\pL*|прошл\pL*|вышеуказанн\pL*|вышеизложенн\pL*|вышестоящ\pL*|ранее|все|всё|свои|системн\pL*|попередн\pL*|минул\pL*|всі|усі|вищезазначен\pL*|вище|своі|твої|твои)~~(?:инструкци\pL*|указани\pL*|правил\pL*|команд\pL*|ограничени\pL*|подсказк\pL*|сообщени\pL*|промпт\pL*|інструкці\pL*|вказівк\pL*|обмежен\pL*|настанов\pL*|підказк\pL*)`),
	foreign([]string{"ты теперь", "теперь ты", "пользовател", "ти тепер", "тепер ти", "користувач", "систем"},
		`(?:ты теперь|теперь ты|ти тепер|тепер ти)[^\n.]{0,80}(?:без (?:\pL+ )?(?:ограничений|правил|фильтров|цензуры|обмежень|фільтрів))|не~(?:говори|сообщай|рассказывай|показывай|кажи|повідомляй|розповідай)(?:те)?~(?:ничего~|об этом~|этого~|нічого~|про це~)*(?:пользователю|користувачу|користувачеві)|(?:покажи|раскрой|выведи|розкрий)~~(?:свой|свою|свои|свій|свої)~системн\pL*~\pL+`),
	// Polish
	foreign([]string{"zignoruj", "ignoruj", "zapomnij", "pomin", "nie przestrzegaj", "odrzuc"},
		`\b(z?ignoruj(?:cie)?|zapomnij(?:cie)?(?: o)?|pomiń(?:cie)?|nie przestrzegaj|odrzuć)~~(?:poprzedni\w*|wcześniejsz\w*|powyższ\w*|wszystkie|wszystkich|swoje|twoje|systemow\w*)~~(?:instrukcj\w*|poleceni\w*|poleceń|zasad\w*|wytyczn\w*|reguł\w*|komend\w*|prompt\w*)`),
	foreign([]string{"jestes teraz", "teraz jestes", "uzytkownik"},
		`\b(?:jesteś teraz|teraz jesteś|od teraz jesteś)\b[^\n.]{0,80}\bbez (?:\w+ )?(?:ograniczeń|zasad|filtrów|cenzury)|\bnie~(?:mów|informuj|wspominaj)~(?:o tym~|nic~)*użytkownikowi`),
	// Turkish, Indonesian, Vietnamese
	foreign([]string{"talimat", "komut", "kural", "yonerge", "instruksi", "perintah", "huong dan", "chi thi", "chi dan"},
		`\b(?:önceki|yukarıdaki|tüm|bütün|daha önceki|bundan önceki)~~(?:talimat\w*|komut\w*|kural\w*|yönerge\w*)~~(?:yok say\w*|görmezden gel\w*|unut\w*|dikkate alma\w*|göz ardı et\w*|boş ver\w*)|\b(?:abaikan|lupakan)~~(?:instruksi|perintah|aturan)~~(?:sebelumnya|di atas|sistem)|(?:bỏ qua|phớt lờ|quên)~~(?:hướng dẫn|chỉ thị|chỉ dẫn|lệnh|quy tắc)~~(?:trước|trên|hệ thống)`),
	foreign([]string{"artik", "kullanici"},
		`\b(?:artık sen|sen artık|artık)\b[^\n.]{0,80}(?:kısıtlama\w*|sınırlama\w*|filtre\w*|kural\w*)~(?:olmayan|olmadan|yok)|kullanıcıya~(?:bunu~|bundan~|hiçbir şey~)*(?:söyleme|bahsetme|anlatma|bildirme)`),
	// Swedish, Danish, Norwegian, Czech, Romanian
	foreign([]string{"ignorera", "glom", "ignorer", "glem", "ignoruj", "zapomen", "ignora", "uita"},
		`\b(?:ignorera|glöm(?: bort)?|ignorer|glem)~~(?:tidigare|föregående|tidligere|forrige|foregående|ovanstående|alla|alle)~~(?:instruktion\w*|instruks\w*|regler|anvisning\w*|instruktioner)|\b(?:ignoruj|zapomeň na|zapomeň)~~(?:předchozí|předešlé|všechny)~~(?:instrukce|pokyny|pravidla|příkazy)|\b(?:ignoră|uită)~~(?:instrucțiunile|regulile)~~(?:anterioare|precedente)`),
	// Greek
	foreign([]string{"αγνοησ", "ξεχασ", "παραβλεψ", "αγνοει"},
		`(αγνόησ\pL*|ξέχασ\pL*|παράβλεψ\pL*|αγνόει\pL*)~~(?:προηγούμεν\pL*|παραπάνω|αρχικ\pL*|σου|σας)~~(?:οδηγί\pL*|εντολ\pL*|κανόν\pL*|κανονισμ\pL*)|(αγνόησ\pL*|ξέχασ\pL*)~~(?:οδηγί\pL*|εντολ\pL*|κανόν\pL*)~(?:σου|σας)`),
	// Chinese
	foreign([]string{"忽略", "无视", "無視", "忘记", "忘記", "忘掉", "不要理会", "不要理會", "不要遵守", "抛弃", "跳过", "不再遵守", "忽视", "忽視"},
		`(忽略|忽视|忽視|无视|無視|忘记|忘記|忘掉|不要理会|不要理會|不要遵守|不再遵守|抛弃|跳过)[^\n.]{0,8}(?:之前|先前|以前|以上|上面|前面|此前|所有|一切|全部|你的|系统|系統|上述|上文|原有|安全)[^\n.]{0,10}(?:指令|指示|说明|說明|规则|規則|提示|命令|要求|设定|設定|对话|對話|内容|限制|准则)`),
	foreign([]string{"你现在是", "你現在是", "用户", "用戶", "系统提示", "系統提示"},
		`你[现現]在是[^\n.]{0,40}(?:没有|沒有|不受|无|無)(?:任何)?(?:限制|约束|約束|规则|規則)|(?:不要|别|別|勿|绝不|不得)(?:把[^\n.]{0,8})?(?:告诉|告訴|告知|透露给|通知)[^\n.]{0,3}用[户戶]|(?:显示|顯示|输出|輸出|透露|泄露|告诉我|重复)[^\n.]{0,4}你的[^\n.]{0,4}(?:系统|系統)(?:提示|指令)`),
	// Japanese
	foreign([]string{"無視", "忘れ", "破棄", "従わ", "従うな", "制限な", "制約な", "ユーザ", "システムプロンプト"},
		`(?:以前|これまで|上記|前述|前|先ほど|すべて|全て|全部|今まで|元)(?:の|まで|ての)?[^\n.]{0,10}(?:指示|命令|ルール|プロンプト|指令|制約|設定|規則|ガイドライン)[^\n.]{0,6}(?:無視|忘れ|破棄|従わな|従うな)|あなたは(?:今|いま|これ)[^\n.]{0,40}(?:制限|制約)の?(?:ない|なし|無い)|ユーザー?に(?:は)?[^\n.]{0,8}(?:言わない|教えない|知らせない|伝えない|言うな|教えるな|伝えるな|話さない)|システムプロンプトを[^\n.]{0,4}(?:表示|出力|教え|見せ|開示)`),
	// Korean
	foreign([]string{"무시", "잊", "따르지", "사용자에게", "시스템 프롬프트", "제한 없"},
		`(?:이전|위의|위에|앞선|기존|지금까지|모든|앞의)[^\n.]{0,12}(?:지시|명령|규칙|지침|프롬프트|안내|설정)[^\n.]{0,8}(?:무시|잊어|잊으|따르지)|(?:당신은|너는) (?:이제|지금부터)[^\n.]{0,40}제한(?:이)? ?없|사용자에게[^\n.]{0,12}(?:말하지|알리지|알려주지|언급하지)|시스템 프롬프트를[^\n.]{0,6}(?:보여|출력|공개|알려)`),
	// Arabic, Persian, Hebrew
	foreign([]string{"تجاهل", "انس", "تجاوز", "اهمل", "نادیده", "فراموش", "התעלם", "שכח", "المستخدم"},
		`(?:تجاهلي?|انسَ?|تجاوز|أهمل)~~(?:التعليمات|الأوامر|القواعد|التوجيهات|الإرشادات|تعليمات|تعليماتك|أوامر|قواعد)(?:~~(?:السابقة|أعلاه|السابق|الأصلية|النظام|التي))?|(?:دستورات?|دستورالعمل\pL*|قوانین)~~(?:قبلی|پیشین|بالا)~~(?:نادیده|فراموش)|(?:نادیده|فراموش)~~(?:دستور\pL*|قوانین)~~(?:قبلی|پیشین)|(?:התעלם|התעלמי|שכח)~~(?:ההוראות|הוראות|הכללים|הנחיות|ההנחיות)~~(?:הקודמות|קודמות|הקודמים|לעיל)|لا~(?:تخبر|تقل|تذكر|تُخبر)~~(?:ال|لل)مستخدم`),
	// Hindi, Bengali, Thai
	foreign([]string{"निर्देश", "आदेश", "नियम", "উপেক্ষা", "নির্দেশ", "คำสั่ง", "उपयोगकर्ता"},
		`(?:पिछले|पिछली|पूर्व|ऊपर|सभी|पहले|सारे)[^\n.]{0,40}(?:निर्देश|आदेश|नियम)[^\n.]{0,40}(?:अनदेखा|अनदेखी|नज़रअंदाज|नजरअंदाज|भूल|उपेक्षा|इग्नोर|न मान)|(?:পূর্ববর্তী|আগের|সব)[^\n.]{0,30}নির্দেশ[^\n.]{0,20}(?:উপেক্ষা|ভুলে)|(?:ละเว้น|เพิกเฉย|ไม่ต้องสนใจ|ลืม)[^\n.]{0,12}คำสั่ง[^\n.]{0,12}(?:ก่อนหน้า|ข้างต้น|ทั้งหมด)|उपयोगकर्ता को[^\n.]{0,20}(?:मत|न)[^\n.]{0,3}(?:बता|कह)`),
}

// foreign makes a rule from words and an expression in their own spelling.
func foreign(words []string, pattern string) roleRule {
	r := roleRule{name: "role-override", words: foldAll(words...), re: role(pattern)}
	if bare := strings.TrimPrefix(pattern, `\b`); strings.HasPrefix(bare, "(") && !strings.HasPrefix(bare, "(?") {
		r.accept = acceptForeignOrder
	}
	return r
}

// acceptForeignOrder passes what a subject or a negation before the verb makes
// a description or a warning.
func acceptForeignOrder(text string, m []int) bool {
	return !foreignDescribing.MatchString(text[max(0, m[0]-40):m[0]])
}
