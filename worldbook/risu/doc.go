// Package risu reads RisuAI lorebooks.
package risu
