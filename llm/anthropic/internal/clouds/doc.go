// Package clouds tests llm/anthropic over the clouds that offer its models: Amazon Bedrock and
// Vertex AI of Google, with the options that the SDK has for them. It is a module of its own,
// so that what those need is in no other.
package clouds
