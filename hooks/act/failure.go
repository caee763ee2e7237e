package act

import (
	"fmt"
)

// Failure is an error with a [ResultCode]. Handlers and sinks return one where
// "handler_error" would say too little; every other error becomes that.
type Failure struct {
	// Code is one of not_found, unavailable, forbidden, missing_params,
	// invalid_value, unknown_field and protected_field; others count as handler_error.
	Code   ResultCode
	Detail string

	// Param is the parameter to blame, if it is one's fault.
	Param string
}

// Error returns the code and the detail.
func (f *Failure) Error() string { return string(f.Code) + ": " + f.Detail }

// Missing is the failure of a required parameter.
func Missing(param string) *Failure {
	return &Failure{CodeMissingParams, param + " is required", param}
}

// Invalid is the failure of a parameter of the wrong type or range. The format says what it must
// be, and not the name, which stands in front.
func Invalid(param, format string, args ...any) *Failure {
	return &Failure{CodeInvalidValue, param + " " + fmt.Sprintf(format, args...), param}
}
