package tiktoken
import ("testing";"fmt")
func TestZZ(t *testing.T){
 for _,e:=range encodings { if e.cut=="" {e.cut=`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`}
 c,_:=New(e.name); o:=newSlow(t,e.name,e.cut); n:=0
 for r:=rune(0); r<=0x10ffff; r++ { if r>=0xd800&&r<0xe000 {continue}
  for _,s:=range []string{string(r), "a"+string(r)+"b", "!"+string(r)+"\n", " "+string(r)} { if c.Count(s)!=o.count(s){ n++; if n<20 {fmt.Printf("%s %q %d %d\n",e.name,s,c.Count(s),o.count(s))}}}
 }
 fmt.Println(e.name,n)}
}
