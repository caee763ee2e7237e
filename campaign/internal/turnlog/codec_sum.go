package turnlog

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	return append(open, sumMember(open)...)
}

// sumMember returns the member with the checksum of an object without its end, and the end.
func sumMember(open []byte) string {
	return fmt.Sprintf("%s%08x%s", sumBegin, crc32.Checksum(open, castagnoli), sumEnd)
}

// checkSum returns [state.ErrChecksum] if data is not an unchanged result of [Sum].
func checkSum(data []byte) error {
	at := len(data) - sumSize
	if at < 0 || string(data[at:]) != sumMember(data[:at]) {
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
