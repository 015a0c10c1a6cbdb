package vademecum

import (
	"crypto/sha256"
	"encoding/hex"

	vademecumv1 "vademecum.dev/gen/go/vademecum/v1"
)

// routingHeader lets a load balancer send all calls of a user to the same server. That server then
// has the index of the user in memory. The value of the header is a digest of the user id.
const routingHeader = "x-vademecum-user"

// userOf returns the user whose data a request is about, and "" if it names none.
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
