package act

import (
	"fmt"
)

// Failure is an error with a [ResultCode]. Handlers and sinks return it if a code is more exact
// than "handler_error". Every other error gets the code handler_error.
type Failure struct {
	// Code is one of not_found, unavailable, forbidden, missing_params, invalid_value,
	// unknown_field and protected_field. Other codes are replaced by handler_error.
	Code   ResultCode
	Detail string

	// Param is the parameter that caused the failure, if one did.
	Param string
}

// Error returns the code and the detail.
func (f *Failure) Error() string { return string(f.Code) + ": " + f.Detail }

// Missing returns the failure of a missing required parameter.
func Missing(param string) *Failure {
	return &Failure{CodeMissingParams, param + " is required", param}
}

// Invalid returns the failure of a parameter of the wrong type or range. The format describes the
// required value; the name is added before it.
func Invalid(param, format string, args ...any) *Failure {
	return &Failure{CodeInvalidValue, param + " " + fmt.Sprintf(format, args...), param}
}
