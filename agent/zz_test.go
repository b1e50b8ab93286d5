package agent
import "testing"
func TestZZ(t *testing.T){
 for _,s:=range []string{"no, it is emacs","No. It's emacs","no it is emacs","Actually on Thursday","no","no, thanks","no, thank you!","actually, never mind","nein, am Donnerstag","non, c'est jeudi","いいえ、木曜日です","不是，是周四","нет, в четверг","that's wrong: it's vim","No one knows","not sure","I meant Thursday","sorry, Thursday","no, don't do that","what about actually?","notes are good","nice, thanks", "it's no longer Friday","wait, no, Thursday","no problem, go on"}{
  t.Log(s, corrects(s))
 }}
