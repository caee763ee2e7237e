// Package agnai reads Agnai memory books.
package agnai
