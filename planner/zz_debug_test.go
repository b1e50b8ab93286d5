package planner
import ("testing";"os";"strings";"fmt")
func TestZZDebug(t *testing.T){
 for _,l:=range strings.Split(os.Getenv("DBG"),"|"){
  d:=canonical(l)
  fmt.Println(l, "lang",d.lang,"implied",d.implied, "frag", fragment(d), "subjless", subjectless(d))
  for _,c:=range d.clauses{ for _,x:=range c{ s:=x.norm; if x.drop{s="("+s+")"}; if x.text==""{s="<"+s+">"}; if x.done{s+="^"}; if x.class==path {s+="#"}; fmt.Print(" ",s)}; fmt.Println("   verbAt",verbAt(c))}
 }
}
func TestZZSeg(t *testing.T){
 d:=canonical(os.Getenv("DBG"))
 for _,s:=range segments(d){ fmt.Println("seg:",quote(s), "gone", quote(goneValue(s)), "left", quote(leftValue(s)), tentative(s,nil)) }
}
func TestZZPieces(t *testing.T){
 d:=canonical(os.Getenv("DBG"))
 for _,s:=range resolvedClauses(d){ fmt.Println("clause:",quote(s))}
 for _,s:=range pieces(d){ fmt.Println("piece:",quote(s))}
 for _,s:=range asides(d){ fmt.Println("aside:",quote(s))}
}
func TestZZPair(t *testing.T){
 x:=strings.Split(os.Getenv("DBG"),"|")
 if len(x)<4 {return}
 p:=propose(t, entry(x[0],x[1],1,"user"), entry(x[2],x[3],2,"user"))
 fmt.Println(describe(p))
 da,db:=canonical(x[1]),canonical(x[3])
 fmt.Println("mergeKeys",mergeKeys(x[0],x[2],da), "fragment",fragment(da))
 for _,c:=range resolvedClauses(da){ for _,p:=range append(pieces(db),asides(db)...){ fmt.Println(sameClause(c,p), limited(c), bagOf(c.kept())==bagOf(p.kept()), quote(p)) }}
}
