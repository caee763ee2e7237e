// Package check reads pools of dice as the variables of package memvars propose them: an
// attribute and a skill, with or without their values.
//
//	terms, pool, problems := check.Sum("力量;白刃:2", "stat_data.检定属性", scores)
//
// It decides by its arguments alone.
package check
