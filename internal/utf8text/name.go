package utf8text

import (
	"strings"
	"unicode"
)

// IsLine reports whether a text is one line of visible characters. It must have no line ends,
// control characters, marks that change the writing direction, or invisible characters. Joiners
// between two letters or symbols are allowed, because some scripts and emoji need them.
func IsLine(text string) bool {
	previous := ' '
	runes := []rune(text)
	for i, r := range runes {
		joins := (r == '\u200c' || r == '\u200d') && !unicode.IsSpace(previous) && i+1 < len(runes) && unicode.IsGraphic(runes[i+1])
		emoji := r == '\ufe0f' && !unicode.IsLetter(previous)
		if !joins && !emoji && (unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co, unicode.Zl, unicode.Zp) || isBlank(r)) {
			return false
		}
		previous = r
	}
	return true
}

// IsName reports whether a text can be the name of a person for readers. It must have only visible
// graphic characters, and no compatibility forms that look exactly like ordinary characters.
func IsName(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsGraphic(r) || isBlank(r) || unicode.Is(doubles, r)
	})
}

// isBlank reports whether a character is invisible although it is not a space.
func isBlank(r rune) bool { return unicode.Is(blanks, r) }

var blanks = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x034f, 0x034f, 1}, {0x115f, 0x1160, 1}, {0x17b4, 0x17b5, 1}, {0x180b, 0x180f, 1}, {0x2800, 0x2800, 1},
		{0x3164, 0x3164, 1}, {0xfe00, 0xfe0f, 1}, {0xffa0, 0xffa0, 1},
	},
	R32: []unicode.Range32{{0xe0000, 0xe0fff, 1}},
}

// doubles are radicals and compatibility ideographs.
var doubles = &unicode.RangeTable{
	R16: []unicode.Range16{{0x2e80, 0x2fdf, 1}, {0xf900, 0xfaff, 1}},
	R32: []unicode.Range32{{0x2f800, 0x2fa1f, 1}},
}

// Likenesses returns two keys of a name. Two names look alike, or differ only in case, if they have
// an equal key. The second key distinguishes capital and small letters, so that Ian and lan look
// alike, but Ian and Lan do not.
func Likenesses(name string) [2]string {
	var b strings.Builder
	space := false
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Cc) || isBlank(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(looksLike(r))
	}
	cased := strings.ReplaceAll(b.String(), "rn", "m")
	return [2]string{strings.ReplaceAll(strings.ToLower(b.String()), "rn", "m"), strings.ReplaceAll(cased, "I", "l")}
}

// looksLike returns the ordinary character that a character looks like, or the character itself.
func looksLike(r rune) rune {
	switch {
	case r < 0x80:
	case r >= '！' && r <= '～':
		r -= '！' - '!'
	case r >= 0x1d400 && r <= 0x1d6a3: // mathematical letters, in alphabets of 52
		i := (r - 0x1d400) % 52
		if i >= 26 {
			i += 'a' - 'A' - 26
		}
		return 'A' + i
	case r >= 0x1d7ce && r <= 0x1d7ff:
		r = '0' + (r-0x1d7ce)%10
	case r >= 'Ⓐ' && r <= 'Ⓩ':
		return r - 'Ⓐ' + 'A'
	case r >= 'ⓐ' && r <= 'ⓩ':
		return r - 'ⓐ' + 'a'
	case r >= 0x1f130 && r <= 0x1f149:
		return r - 0x1f130 + 'A'
	default:
		if plain, ok := alike[r]; ok {
			r = plain
		}
	}
	switch r {
	case '0':
		return 'O'
	case '1', '|':
		return 'l'
	}
	return r
}

// alike maps characters to the characters that they look like.
var alike = func() map[rune]rune {
	out := map[rune]rune{}
	for _, group := range strings.Fields(`
		AАΑᎪꓮÀÁÂÃÄÅĀĂĄǍẠẢẤẦẨẪẬẮẰẲẴẶ aаɑαàáâãäåāăąǎạảấầẩẫậắằẳẵặ BВΒᏴꓐ bЬьƅ CСϹᏟꓚⅭÇĆČ cсϲⅽçćč DᎠꓓⅮĎĐ dԁⅾďđ
		EЕΕᎬꓰÈÉÊËĒĔĖĘĚẸẺẼẾỀỂỄỆЁ eеҽèéêëēĕėęěẹẻẽếềểễệё FϜꓝ fſ GᏀԌꓖĞĢ gɡցğģ HНΗᎻꓧ hһհ IІΙΪӀꓲⅠÌÍÎÏĪĬĮİỈỊ iіıɩιⅰìíîïīĭįỉịї
		JЈᎫꓙ jјϳ KКΚᏦꓗKĶ kкκķ LᏞꓡⅬĹĻĽŁ lⅼӏĺļľł MМΜᎷꓟⅯ mмⅿ NΝꓠÑŃŅŇ nոпñńņňη OОΟՕꓳÒÓÔÕÖØŌŎŐỌỎỐỒỔỖỘỚỜỞỠỢƠ
		oоοօσòóôõöøōŏőọỏốồổỗộớờởỡợơ PРΡᏢꓑ pрρ QԚ qԛգ RᎡꓣŔŘ rгŕř SЅՏᏚꓢŚŞŠȘ sѕśşšș TТΤᎢꓔŢŤȚ tтτţťț
		UՍꓴÙÚÛÜŪŬŮŰŲỤỦỨỪỬỮỰƯ uսυùúûüūŭůűųụủứừửữựư VѴᏙꓦⅤ vѵνⅴ WԜᎳꓪ wԝѡω XХΧꓫⅩ xхχⅹ YУҮΥꓬÝŸỲỴỶỸ yуүγýÿỳỵỷỹ ZΖᏃꓜŹŻŽ zźżž
		-‐‑‒–—−﹣ '’‘ʼ′＇ 二ニ 口ロ 工エ 力カ 卜ト 夕タ 八ハ 一ー`) {
		runes := []rune(group)
		for _, r := range runes[1:] {
			out[r] = runes[0]
		}
	}
	return out
}()
