// Package goal lets a model find what a campaign is about: the goal of one that is created without.
// [By] makes a function for campaign.Config.Goal.
package goal
