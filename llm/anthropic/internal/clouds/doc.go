// Package clouds tests llm/anthropic with the clouds that offer its models: Amazon Bedrock and
// Vertex AI of Google, with the options of the SDK for them. It is a separate module, so that no
// other module has its dependencies.
package clouds
