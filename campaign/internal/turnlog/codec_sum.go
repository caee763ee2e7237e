package turnlog

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/openjson"
)

// The checksum is the last member of a stored JSON object. It is the CRC-32C of all bytes before it, which
// finds every change of up to 32 bits in a row.
const (
	sumBegin = `,"sum":"`
	sumEnd   = `"}`
	sumSize  = len(sumBegin) + 2*crc32.Size + len(sumEnd)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sum appends the checksum to a compact JSON object that has a member. It may write to the array of data.
func Sum(data []byte) []byte {
	open := bytes.TrimSuffix(data, []byte("}"))
	sum := crc32.Checksum(open, castagnoli)
	open = append(open, sumBegin...)
	open = hex.AppendEncode(open, []byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
	return append(open, sumEnd...)
}

// checkSum returns [state.ErrChecksum] if data is not an unchanged result of [Sum].
func checkSum(data []byte) error {
	at := len(data) - sumSize
	if at < 0 {
		return state.ErrChecksum
	}
	var sum [crc32.Size]byte
	digits := data[at+len(sumBegin) : len(data)-len(sumEnd)]
	if _, err := hex.Decode(sum[:], digits); err != nil || bytes.ContainsAny(digits, "ABCDEF") ||
		string(data[at:at+len(sumBegin)]) != sumBegin || string(data[len(data)-len(sumEnd):]) != sumEnd {
		return state.ErrChecksum
	}
	if got := crc32.Checksum(data[:at], castagnoli); got != uint32(sum[0])<<24|uint32(sum[1])<<16|uint32(sum[2])<<8|uint32(sum[3]) {
		return state.ErrChecksum
	}
	return nil
}

// WriteValue returns the JSON of a value, with its checksum.
func WriteValue(v any) ([]byte, error) {
	data, err := openjson.Marshal(struct {
		Value any `json:"value"`
	}{v})
	if err != nil {
		return nil, err
	}
	return Sum(data), nil
}

// ReadValue decodes the result of [WriteValue]. The error wraps [state.ErrChecksum] if the bytes
// have changed.
func ReadValue(data []byte, into any) error {
	if err := checkSum(data); err != nil {
		return err
	}
	return json.Unmarshal(data, &struct {
		Value any `json:"value"`
	}{into})
}
