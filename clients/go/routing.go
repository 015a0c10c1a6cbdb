package vademecum

import (
	"crypto/sha256"
	"encoding/hex"

	vademecumv1 "vademecum.example/gen/go/vademecum/v1"
)

// routingHeader is the header with a digest of the user id. A load balancer can use it to send all
// calls about a user to one server, which then has the user's index in memory.
const routingHeader = "x-vademecum-user"

// userOf returns the user that a request names, or "".
func userOf(request any) string {
	switch message := request.(type) {
	case interface{ GetUserId() string }:
		return message.GetUserId()
	case interface{ GetNamespace() *vademecumv1.Namespace }:
		return message.GetNamespace().GetUserId()
	case interface {
		GetSearch() *vademecumv1.SearchRequest
	}:
		return message.GetSearch().GetNamespace().GetUserId()
	}
	return ""
}

// userDigest returns the first 16 hexadecimal digits of the SHA-256 of a user id.
func userDigest(userID string) string {
	digest := sha256.Sum256([]byte(userID))
	return hex.EncodeToString(digest[:8])
}
